terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

resource "simcloud_identified" "old" {
  name  = "old"
  value = "y"
}

resource "simcloud_identified" "current" {
  name  = "current"
  value = "y"
}

resource "simcloud_identified" "none" {
  name  = "none"
  value = "y"
}
