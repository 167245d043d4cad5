provider "sim" {
  alias    = "by"
  for_each = toset(["one", "two"])
  region   = each.key
}

resource "sim_thing" "a" {
  for_each = toset(["x", "y"])
  provider = sim.by["one"]

  name = each.key
}
