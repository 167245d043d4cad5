terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

resource "simcloud_identified" "moved" {
  name  = "a"
  value = "A"
}

resource "simcloud_identified" "b" {
  name = "b"
  zone = "B2"

  lifecycle {
    create_before_destroy = true
  }
}

resource "simcloud_identified" "c" {
  name  = "c"
  value = sensitive("C")
}

moved {
  from = simcloud_identified.a
  to   = simcloud_identified.moved
}
