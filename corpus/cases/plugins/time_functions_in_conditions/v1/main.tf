terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

variable "length" {
  type = string

  validation {
    condition     = provider::time::duration_parse(var.length).hours > 0
    error_message = "The length must be positive, not ${provider::time::duration_parse(var.length).minutes} minutes."
  }
}

locals {
  times = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"]
  bound = sensitive("2026-01-15T00:00:00Z")
}

resource "terraform_data" "early" {
  for_each = { for text in local.times : provider::time::rfc3339_parse(text).month_name => text }
  input    = each.value

  lifecycle {
    precondition {
      condition     = provider::time::duration_parse(var.length).hours < 24
      error_message = "A day is too long, and this is ${provider::time::duration_parse(var.length).hours} hours."
    }
  }
}

output "bound" {
  value     = provider::time::rfc3339_parse(local.bound).unix
  sensitive = true
}
