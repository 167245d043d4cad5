module "c" {
  source = "./c"
}
