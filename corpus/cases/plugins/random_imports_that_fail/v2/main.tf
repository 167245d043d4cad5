terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_shuffle.zones
  id = "a"
}

resource "random_shuffle" "zones" {
  input = ["a", "b"]
}

resource "random_uuid4" "independent" {}
