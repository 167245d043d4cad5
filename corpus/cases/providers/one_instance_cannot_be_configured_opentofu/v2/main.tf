provider "sim" {
  alias    = "by"
  for_each = toset(["one", "two", "three"])
  region   = each.value
}

resource "sim_thing" "a" {
  for_each = toset(["one", "three"])
  provider = sim.by[each.key]

  name = "new-${each.key}"
}

resource "sim_thing" "apart" {
  name = "apart"
}
