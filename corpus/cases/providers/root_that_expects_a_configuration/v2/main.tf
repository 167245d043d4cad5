terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.extra]
    }
  }
}

provider "terraform" {}

resource "terraform_data" "a" {
  provider = terraform.extra
}
