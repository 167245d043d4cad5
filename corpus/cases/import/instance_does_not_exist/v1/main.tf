resource "sim_thing" "a" {
  count = 1

  name = "a"
}

resource "sim_thing" "broken" {
  name  = "broken"
  value = sim_thing.a[5].id
}

import {
  to = sim_thing.a[1]
  id = "a-1"
}
