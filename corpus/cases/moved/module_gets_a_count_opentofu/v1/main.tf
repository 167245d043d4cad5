module "m" {
  source = "./child"
}

module "told" {
  source = "./child"
}

module "gone" {
  source = "./child"
}
