resource "sim_thing" "mine" {
  name = "mine"
}

resource "sim_thing" "stranger" {
  name = "stranger"
}

import {
  to = sim_thing.stranger
  id = "stranger-1"
}
