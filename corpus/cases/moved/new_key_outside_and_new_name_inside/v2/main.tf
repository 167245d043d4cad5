module "m" {
  source   = "./m"
  for_each = toset(["k"])
}

moved {
  from = module.m
  to   = module.m["k"]
}
