provider "sim" {
  alias  = "by"
  region = "single"
}

resource "sim_thing" "a" {
  for_each = toset(["x"])
  provider = sim.by

  name = each.key
}
