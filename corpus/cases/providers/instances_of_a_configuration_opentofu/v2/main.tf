provider "sim" {
  alias    = "by"
  for_each = { east = "one", west = "two", idle = "three" }
  region   = "${each.key}-${each.value}"
}

resource "sim_thing" "a" {
  for_each = { x = "west", y = "west" }
  provider = sim.by[each.value]

  name = each.key
}

data "sim_lookup" "d" {
  provider = sim.by["east"]

  name = "d"
}
