terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

import {
  for_each = toset(["a", "b"])
  to       = simcloud_identified.all[each.key]
  identity = { name = each.key }
}

resource "simcloud_identified" "all" {
  for_each = toset(["a", "b"])
  name     = each.key
  value    = "changed"
}
