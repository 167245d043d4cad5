resource "sim_thing" "a" {
  name = "a"
}

provider "sim" {
  alias  = "t2"
  region = "at-${sim_thing.a.id}"
}

resource "sim_thing" "b" {
  provider = sim.t2

  name   = "b"
  parent = sim_thing.a.id
}
