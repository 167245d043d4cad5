terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_string" "token" {
  length = 8
  upper  = false
}

output "token" {
  value = random_string.token.result
}
