module "names" {
  source = "./names"
}

module "m" {
  source   = "./m"
  for_each = module.names.all
}
