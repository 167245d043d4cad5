locals {
  regions = { a = "north", b = "south" }
}

provider "sim" {
  alias    = "by"
  for_each = toset(["north", "south"])
  region   = each.key
}

module "m" {
  source    = "./m"
  tag       = each.key
  for_each  = toset(["a", "b"])
  providers = { sim = sim.by[local.regions[each.key]] }
}
