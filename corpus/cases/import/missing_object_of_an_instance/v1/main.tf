terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}
import {
  to = simcloud_updated.all["c"]
  id = "nope"
}
resource "simcloud_updated" "all" {
  for_each = toset(["c"])
  name     = each.key
}
