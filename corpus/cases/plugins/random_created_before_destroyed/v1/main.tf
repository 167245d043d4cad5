terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "release" {
  type = string
}

resource "random_pet" "name" {
  length  = 2
  keepers = { release = var.release }

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "alias" {
  input = random_pet.name.id
}
