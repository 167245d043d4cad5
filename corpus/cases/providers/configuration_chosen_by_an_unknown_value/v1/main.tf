resource "sim_thing" "a" {
  name = "a"
}

provider "sim" {
  alias  = "p"
  region = "r"
}

resource "sim_thing" "x" {
  provider = sim.p[sim_thing.a.id]

  name = "x"
}
