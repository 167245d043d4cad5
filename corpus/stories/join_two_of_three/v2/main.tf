terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_unique" "site" {
  name  = "site"
  value = "v2"
}
