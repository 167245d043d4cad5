terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_updated" "r" {
  name = "r"
}

ephemeral "simcloud_token" "t" {
  name       = "t"
  depends_on = [simcloud_updated.r]
}
