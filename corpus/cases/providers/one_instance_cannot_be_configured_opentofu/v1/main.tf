provider "sim" {
  alias    = "by"
  for_each = toset(["one", "two", "three"])
  region   = each.value
}

resource "sim_thing" "a" {
  for_each = toset(["one", "two"])
  provider = sim.by[each.key]

  name = each.key
}
