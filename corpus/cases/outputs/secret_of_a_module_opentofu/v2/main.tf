module "child" {
  source = "./child"
}

resource "terraform_data" "x" {
  input = [module.child.o, module.child.p]
}
