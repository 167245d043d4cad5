terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

resource "simcloud_identified" "a" {
  name  = "a"
  value = "A2"
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
