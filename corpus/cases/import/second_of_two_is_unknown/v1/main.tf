data "sim_lookup" "d" {
  name = "d"
}

resource "sim_thing" "x" {
  for_each = toset(["a", "b"])
  name     = each.key
  value    = "one"
}

import {
  to = sim_thing.x["a"]
  id = "a-1"
}

import {
  to = sim_thing.x["b"]
  id = data.sim_lookup.d.result == "" ? "none" : "b-1"
}
