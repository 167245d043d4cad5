terraform {
  required_providers {
    sim       = { source = "dh.test/diffharness/sim" }
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
