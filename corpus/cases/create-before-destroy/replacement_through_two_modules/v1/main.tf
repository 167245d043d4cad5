variable "r" {
  type = string
}

module "a" {
  source = "./a"
  r      = var.r
}

module "b" {
  source = "./b"
  ids    = module.a.ids
}
