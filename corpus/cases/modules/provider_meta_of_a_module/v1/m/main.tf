terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }

  provider_meta "simcloud" {
    module_name = "inner"
  }
}

resource "simcloud_meta" "y" {
  name = "y"
}
