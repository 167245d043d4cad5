terraform {
  required_providers {
    sim = {
      source  = "dh.test/diffharness/sim"
      version = ">> 1"
    }
  }
}

resource "sim_thing" "x" {
  name = "x"
}
