terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_string" "token" {
  length = 10
}

resource "random_pet" "independent" {
  length = 1
}
