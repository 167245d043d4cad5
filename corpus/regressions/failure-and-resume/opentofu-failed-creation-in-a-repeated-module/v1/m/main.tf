terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_parent" "one" {
  name = "one"
}

resource "terraform_data" "two" {
  input = simcloud_parent.one.id
}
