module "m" {
  source = "./m"
}

module "n" {
  source = "./m"
}
