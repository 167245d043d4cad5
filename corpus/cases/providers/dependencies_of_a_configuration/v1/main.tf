resource "sim_thing" "a" {
  name = "a"
}

provider "sim" {
  alias  = "t2"
  region = sim_thing.a.id
}

module "m" {
  source = "./m"
  above  = "a-1"

  providers = { sim = sim.t2 }
}
