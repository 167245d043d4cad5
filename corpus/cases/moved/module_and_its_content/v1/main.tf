module "front" {
  source = "./front"
}
