provider "sim" {
  region = "north"
}

module "outer" {
  source = "./outer"
}
