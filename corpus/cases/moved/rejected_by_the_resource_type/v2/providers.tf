terraform {
  required_providers {
    sim      = { source = "dh.test/diffharness/sim" }
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}
