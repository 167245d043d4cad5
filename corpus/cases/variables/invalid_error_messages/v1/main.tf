variable "m" {
  type = any

  validation {
    condition     = can(var.m.ok)
    error_message = var.m.text
  }
}

resource "terraform_data" "x" {
  input = "x"
}
