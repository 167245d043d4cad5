terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_pet" "node" {
  length  = 1
  keepers = { index = 0 }
}
