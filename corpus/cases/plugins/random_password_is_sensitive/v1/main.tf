terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_password" "admin" {
  length           = 20
  override_special = "!_"
}

resource "terraform_data" "user" {
  input = "admin:${random_password.admin.result}"
}

output "length" {
  value = nonsensitive(length(random_password.admin.result))
}

output "password" {
  value     = random_password.admin.result
  sensitive = true
}
