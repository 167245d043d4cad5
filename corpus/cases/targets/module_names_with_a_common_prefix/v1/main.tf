module "a" {
  source = "./m"
  n      = "a"
}

module "aa" {
  source = "./m"
  n      = "aa"
}
