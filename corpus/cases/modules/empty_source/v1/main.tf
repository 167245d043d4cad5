module "m" {
  source = ""
}
