module "child" {
  source = "./child"
}

resource "terraform_data" "x" {
  input = "x"
}
