variable "limit" {
  type    = number
  default = 3
  validation {
    condition     = var.limit < 3
    error_message = "The limit is ${var.limit}, which is too much."
  }
}

output "limit" {
  value = var.limit
}
