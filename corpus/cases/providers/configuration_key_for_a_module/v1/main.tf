provider "sim" {
  alias  = "by"
  region = "u"
}

module "m" {
  source = "./m"

  providers = { sim = sim.by["u"] }
}
