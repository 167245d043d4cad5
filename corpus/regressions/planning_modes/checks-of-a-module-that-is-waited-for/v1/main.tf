module "m" {
  source = "./m"
  given  = true
}

module "n" {
  source     = "./n"
  depends_on = [module.m]
}
