provider "sim" {
  alias  = "by"
  region = "single"
}

resource "sim_thing" "a" {
  for_each = toset(["x", "y"])
  provider = sim.by

  name = each.key
}
