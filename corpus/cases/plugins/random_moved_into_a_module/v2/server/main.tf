terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

variable "size" {
  type = number
}

resource "random_id" "this" {
  byte_length = var.size
}

output "hex" {
  value = random_id.this.hex
}
