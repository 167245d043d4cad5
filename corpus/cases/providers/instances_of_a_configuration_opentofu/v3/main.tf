provider "sim" {
  alias    = "by"
  for_each = { east = "one", west = "two", idle = "three" }
  region   = "${each.key}-${each.value}"
}

resource "sim_thing" "a" {
  for_each = { x = "east" }
  provider = sim.by[each.value]

  name = "renamed"
}
