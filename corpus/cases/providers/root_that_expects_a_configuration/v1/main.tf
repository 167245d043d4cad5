terraform {
  required_providers {
    terraform = {
      source                = "terraform.io/builtin/terraform"
      configuration_aliases = [terraform.extra]
    }
  }
}

resource "terraform_data" "a" {
  provider = terraform.extra
}
