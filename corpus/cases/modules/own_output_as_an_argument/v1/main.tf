module "m" {
  source = "./m"
  a      = module.m.b
}
