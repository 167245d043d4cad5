terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

variable "length" {
  type = string
}

output "bound" {
  value = provider::time::duration_parse(sensitive(var.length)).seconds
}
