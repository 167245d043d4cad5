module "m" {
  source = "./child"

  count = 2
}

module "n" {
  source = "./child"
}

moved {
  from = module.m[1]
  to   = module.n
}
