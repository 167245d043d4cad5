terraform {
  required_providers {
    sim = {
      source                = "dh.test/diffharness/sim"
      configuration_aliases = [sim.there]
    }
  }
}

resource "sim_thing" "x" {
  provider = sim.there

  name = "x"
}
