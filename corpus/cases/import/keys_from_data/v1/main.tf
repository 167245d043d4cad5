data "sim_lookup" "d" {
  name = "d"
}

resource "sim_thing" "a" {
  for_each = toset(["x", "y"])
  name     = "a"
  value    = "one"
}

import {
  for_each = data.sim_lookup.d.result == "" ? {} : { x = "a-1" }
  to       = sim_thing.a[each.key]
  id       = each.value
}
