module "b" {
  source = "./child"
}

module "other" {
  source = "./child/inner"
}

moved {
  from = module.a
  to   = module.b
}
