terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "old" {
  type = string
}

import {
  to = random_password.admin
  id = var.old
}

resource "random_password" "admin" {
  length = 21
}

output "hash" {
  value     = random_password.admin.bcrypt_hash
  sensitive = true
}
