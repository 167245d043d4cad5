resource "sim_thing" "a" {
  name = "a"
}

provider "sim" {
  alias  = "late"
  region = sim_thing.a.id
}

resource "sim_thing" "b" {
  name     = "b"
  provider = sim.late
}
