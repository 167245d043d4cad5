terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "unused" {
  name = "unused"
}

resource "simcloud_updated" "r" {
  name = "r"
}
