terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "terraform_data" "other" {
  input = "a"
}
