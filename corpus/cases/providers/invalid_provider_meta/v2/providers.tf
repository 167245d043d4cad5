terraform {
  required_providers {
    sim      = { source = "dh.test/diffharness/sim" }
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }

  provider_meta "sim" {
    module_name = "root"
  }

  provider_meta "simcloud" {
    module_name = ["root"]
  }
}
