resource "sim_thing" "a" {
  name  = "a"
  value = "2"
}

import {
  to = sim_thing.a
  id = "other-7"
}
