resource "sim_thing" "cluster" {
  name = "cluster"
}

provider "sim" {
  alias  = "inner"
  region = sim_thing.cluster.id
}

resource "sim_thing" "app" {
  provider = sim.inner

  name = "app"
}
