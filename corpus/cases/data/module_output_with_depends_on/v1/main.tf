variable "v" {
  type = string
}

module "m" {
  source = "./m"
  v      = var.v
}

data "sim_lookup" "d" {
  name = module.m.name
}
