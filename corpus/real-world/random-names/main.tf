terraform {
  required_providers {
    random = {
      source  = "hashicorp/random"
      version = ">= 3.5"
    }
  }
}

resource "random_string" "suffix" {
  length  = 6
  special = false
  upper   = false
  keepers = { env = "prod" }
}

resource "random_pet" "name" {
  prefix = "app"
}

resource "terraform_data" "bucket" {
  input = "${random_pet.name.id}-${random_string.suffix.result}"
}

output "name_has_parts" {
  value = length(split("-", terraform_data.bucket.output)) >= 3
}
