module "shop" {
  source = "./shop"
}
