variable "number" {
  default = 1
  validation {
    condition     = var.number > 2
    error_message = "The number is ${var.number}."
  }
}
