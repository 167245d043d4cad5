terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

resource "simcloud_identified" "newer" {
  name = "newer"
}
