terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

locals {
  a = local.b
  b = local.a
}

resource "simcloud_updated" "apart" {
  name = "apart"
}
