terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "max" {
  type = number
}

resource "random_integer" "first" {
  min  = 1
  max  = var.max
  seed = "first"
}

resource "random_integer" "second" {
  min  = 1
  max  = var.max
  seed = "second"

  lifecycle {
    create_before_destroy = true
  }
}
