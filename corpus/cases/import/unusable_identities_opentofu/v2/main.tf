terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

import {
  to       = simcloud_identified.a
  identity = { region = "eu" }
}

resource "simcloud_identified" "a" {
  name = "theirs"
}

resource "simcloud_updated" "a" {
  name = "theirs"
}
