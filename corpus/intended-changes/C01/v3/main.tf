variable "size" {
  default = 1

  validation {
    condition     = var.size > 1
    error_message = "One is not enough."
  }
}
