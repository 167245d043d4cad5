module "a" {
  source = "./child"
}

module "b" {
  source = "./child"
}

module "other" {
  source = "./child/inner"
}
