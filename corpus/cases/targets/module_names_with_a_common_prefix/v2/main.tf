module "aa" {
  source = "./m"
  n      = "aa"
}
