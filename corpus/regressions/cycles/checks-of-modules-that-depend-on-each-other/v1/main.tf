module "a" {
  source = "./a"
}
module "b" {
  source     = "./b"
  depends_on = [module.a]
}
resource "terraform_data" "c" {
  depends_on = [module.b]
}
