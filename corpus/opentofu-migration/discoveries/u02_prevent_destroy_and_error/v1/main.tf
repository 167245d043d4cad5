variable "n" {}

variable "fine" {}

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
