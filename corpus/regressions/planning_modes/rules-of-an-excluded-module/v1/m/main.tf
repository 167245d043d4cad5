variable "given" {
  validation {
    condition     = length(var.given) < 1
    error_message = "It must be empty."
  }
}
