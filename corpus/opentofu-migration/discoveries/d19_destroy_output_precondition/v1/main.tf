variable "fine" {
  default = true
}

resource "terraform_data" "a" {
}

output "id" {
  value = terraform_data.a.id

  precondition {
    condition     = var.fine
    error_message = "Not fine."
  }
}
