terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "terraform_data" "length" {
  input = 0
}

resource "random_string" "token" {
  length = terraform_data.length.output
}
