terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "terraform_data" "a" {}

resource "terraform_data" "b" {
  input = terraform_data.a.output
}

resource "simcloud_replaced_by_several" "c" {
  name = "a"
}
