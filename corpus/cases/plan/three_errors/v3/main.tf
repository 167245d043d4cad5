variable "size" {
  type = number

  validation {
    condition     = var.size > 0
    error_message = "Must be positive."
  }
}

resource "terraform_data" "a" {
  input = var.size
}
