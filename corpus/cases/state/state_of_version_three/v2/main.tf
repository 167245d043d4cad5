provider "terraform" {
  alias = "alias"
}

module "child" {
  source = "./child"
}

resource "terraform_data" "new" {
  input = "new"
}

output "kept" {
  value = "new"
}
