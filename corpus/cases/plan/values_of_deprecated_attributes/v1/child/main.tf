variable "given" {
  type = string

  validation {
    condition     = var.given != ""
    error_message = "Empty."
  }
}

output "taken" {
  value = var.given
}
