provider "sim" {
  alias    = "by_region"
  for_each = toset(["eu", "us"])
  region   = each.key
}

resource "sim_thing" "a" {
  provider = sim.by_region["eu"]

  name = "a"
}
