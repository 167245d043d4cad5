variable "n" {
  default = 1
}

variable "fine" {
  default = true
}

resource "terraform_data" "a" {
  count = var.n

  lifecycle {
    prevent_destroy = true
  }
}

output "o" {
  value = "o"

  precondition {
    condition     = var.fine
    error_message = "Not fine."
  }
}
