resource "terraform_data" "x" {
  input = "x"
}

module "inner" {
  source = "./inner"
}
