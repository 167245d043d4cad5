variable "n" {
  default = 1

  validation {
    condition     = var.n == 1 ? null : true
    error_message = "Must not be one."
  }
}
