provider "sim" {
  alias  = "p2"
  region = "two"
}

resource "sim_thing" "x" {
  provider = sim.p2

  name = "x"
}
