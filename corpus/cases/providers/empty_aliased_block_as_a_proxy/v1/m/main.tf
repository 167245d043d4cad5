provider "sim" {
  alias = "eu"
}

resource "sim_thing" "x" {
  provider = sim.eu

  name = "x"
}
