terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_bytes" "key" {
  length = 8
}

resource "terraform_data" "sealed" {
  input            = "a"
  triggers_replace = random_bytes.key.hex
}
