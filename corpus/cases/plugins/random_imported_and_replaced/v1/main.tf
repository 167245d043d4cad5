terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_string.token
  id = "dark-horse"
}

resource "random_string" "token" {
  length = 12
}
