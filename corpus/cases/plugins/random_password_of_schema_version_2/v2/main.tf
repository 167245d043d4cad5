terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

moved {
  from = random_password.admin
  to   = random_password.root
}

resource "random_password" "root" {
  length = 12
}
