terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_renamed" "a" {
  name = "a"
}

moved {
  from = terraform_data.a
  to   = simcloud_renamed.a
}
