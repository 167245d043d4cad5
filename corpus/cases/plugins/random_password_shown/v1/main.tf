terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_password" "admin" {
  length = 20
}

output "password" {
  value = random_password.admin.result
}
