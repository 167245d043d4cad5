terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_integer" "port" {
  min = 10
  max = 1
}

resource "terraform_data" "listener" {
  input = random_integer.port.result
}

resource "random_integer" "independent" {
  min  = 1
  max  = 6
  seed = "a"
}
