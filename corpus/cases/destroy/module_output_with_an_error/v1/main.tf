module "m" {
  source = "./m"
}

locals {
  first = module.m.first
}

output "nothing" {
  value = module.m.nothing == null ? "none" : module.m.nothing
}
