module "back" {
  source = "./back"
}

moved {
  from = module.front
  to   = module.back
}
