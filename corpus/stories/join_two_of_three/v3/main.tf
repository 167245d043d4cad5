terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_unique" "site" {
  name  = "site"
  value = "v3"
}

data "simcloud_failing" "check" {
  message = "this version is not fit to be rolled out"
}
