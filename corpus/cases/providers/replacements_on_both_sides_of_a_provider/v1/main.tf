resource "sim_thing" "cluster" {
  name      = "cluster"
  force_new = "1"
}

provider "sim" {
  alias  = "inner"
  region = sim_thing.cluster.id
}

resource "sim_thing" "app" {
  provider = sim.inner

  name      = "app"
  force_new = "1"
}
