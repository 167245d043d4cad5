data "sim_lookup" "d" {
  name = "d"
}

resource "sim_thing" "a" {
  name  = "a"
  value = "one"
}

import {
  to = sim_thing.a
  id = data.sim_lookup.d.result == "" ? "none" : "a-1"
}
