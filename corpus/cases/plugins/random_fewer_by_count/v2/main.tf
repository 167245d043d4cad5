terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_pet" "node" {
  count   = 1
  length  = 1
  keepers = { index = count.index }
}
