resource "sim_thing" "x" {
  name  = "x"
  value = "after"
}

import {
  to = sim_thing.x
  id = "found-7"
}
