module "m" {
  source = "./child"

  count = 2
}

module "told" {
  source = "./child"

  count = 2
}

moved {
  from = module.told
  to   = module.told[1]
}
