resource "sim_thing" "key" {
  name  = "key"
  value = "y"
}

resource "sim_thing" "region" {
  name = "region"
}

provider "sim" {
  alias    = "by"
  for_each = toset(["x", "y"])
  region   = "${each.key}-${sim_thing.region.name}"
}

resource "sim_thing" "user" {
  provider = sim.by[sim_thing.key.value]

  name  = "user"
  value = "y"
}
