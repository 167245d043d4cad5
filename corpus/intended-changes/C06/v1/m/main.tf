provider "terraform" {
  alias = "eu"
}

resource "terraform_data" "a" {
  provider = terraform.eu
}
