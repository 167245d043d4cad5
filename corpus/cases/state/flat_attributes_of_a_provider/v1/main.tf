terraform {
  required_providers {
    sim = { source = "dh.test/diffharness/sim" }
  }
}

resource "sim_thing" "declared" {
  name = "declared"
}

resource "sim_thing" "fresh" {
  name = "fresh"
}
