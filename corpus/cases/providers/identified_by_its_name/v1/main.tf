terraform {
  required_providers {
    harbour = { source = "example.com/ports/harbour" }
  }
}

resource "harbour_ship" "named" {
  id   = sensitive("secret")
  name = "ship"
  size = 1
}

resource "harbour_berth" "tagged" {
  id   = sensitive("secret")
  tags = tomap({ Name = "berth" })
  size = 1
}
