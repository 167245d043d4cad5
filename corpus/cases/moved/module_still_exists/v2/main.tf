module "m" {
  source = "./child"
}

module "n" {
  source = "./child"
}

moved {
  from = module.m
  to   = module.n
}
