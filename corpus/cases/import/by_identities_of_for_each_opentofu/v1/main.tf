terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

locals {
  regions = { a = "eu", b = null, c = "us" }
}

import {
  for_each = local.regions
  to       = simcloud_identified.all[each.key]
  identity = { name = each.key, region = each.value }
}

resource "simcloud_identified" "all" {
  for_each = local.regions
  name     = each.key
}
