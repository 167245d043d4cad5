terraform {
  required_providers {
    sim = { source = "dh.test/diffharness/sim" }
  }
}

resource "sim_thing" "a" {
  name = "a"
}
