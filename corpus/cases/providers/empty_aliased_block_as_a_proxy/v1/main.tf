provider "sim" {
  alias  = "europe"
  region = "eu"
}

module "m" {
  source = "./m"

  providers = { sim.eu = sim.europe }
}
