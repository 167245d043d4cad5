data "sim_lookup" "d" {
  name = "north"
}

provider "sim" {
  alias  = "there"
  region = data.sim_lookup.d.result
}

resource "sim_thing" "x" {
  provider = sim.there

  name = "x"
}
