terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_write_only" "last" {
  name = "last"
}

resource "terraform_data" "first" {
  triggers_replace = simcloud_write_only.last.id
}
