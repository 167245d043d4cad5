module "a" {
  source = "./a"
}

module "b" {
  source = "./b"
  above  = module.a.id
}
