terraform {
  required_providers {
    harbour = { source = "example.com/ports/harbour" }
  }
}

provider "harbour" {
  region = "north"
}

data "harbour_tide" "today" {
  place = "pier"
}

resource "harbour_berth" "main" {
  count = 1
  depth = data.harbour_tide.today.level
  size  = 20 + count.index

  bollard {
    load = 5
  }
}

resource "harbour_ship" "first" {
  berth = harbour_berth.main[0].id
  ropes = [for one in harbour_berth.main : one.ring]
}

output "ship" {
  value = harbour_ship.first.id
}
