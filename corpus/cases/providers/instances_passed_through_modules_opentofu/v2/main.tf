terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
module "m" {
  source    = "./m"
  for_each  = toset(["x"])
  providers = { terraform = terraform.by["y"] }
}
