terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_uuid4" "forgotten" {}

resource "random_uuid7" "destroyed" {}
