terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_integer" "port" {
  min     = 8000
  max     = 8099
  keepers = { zone = null }
}
