terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

import {
  to       = simcloud_identified.kept
  identity = { name = "theirs" }
}

import {
  to       = simcloud_identified.replaced
  identity = { name = "other", region = "eu" }
}

resource "simcloud_identified" "kept" {
  name  = "theirs"
  value = "y"
}

resource "simcloud_identified" "replaced" {
  name = "other"
  zone = "a"
}

resource "simcloud_identified" "new" {
  name  = "new"
  value = simcloud_identified.kept.id
}
