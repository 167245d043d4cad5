terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_protected" "vault" {
  name      = "vault"
  protected = true
}

resource "simcloud_updated" "shelf" {
  name  = "shelf"
  value = "full"
}
