terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
resource "terraform_data" "o" {
  count = 2
}
module "n" {
  source    = "./n"
  for_each  = toset(["p"])
  providers = { terraform = terraform }
}
module "i" {
  source = "./n"
}
