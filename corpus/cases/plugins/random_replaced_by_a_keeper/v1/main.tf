terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "image" {
  type = string
}

resource "random_id" "server" {
  byte_length = 4
  prefix      = "srv-"
  keepers     = { image = var.image }
}

resource "random_pet" "name" {
  prefix = random_id.server.hex
  length = 1
}
