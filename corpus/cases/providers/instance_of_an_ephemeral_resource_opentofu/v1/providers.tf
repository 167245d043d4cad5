terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}
