resource "terraform_data" "x" {
  input = "x"
}

module "child" {
  for_each = { "a b" = 1 }
  source   = "./child"
  keys     = { (terraform_data.x.id) = 1 }
}
