variable "p" {
  type = string

  validation {
    condition     = length(var.p) > 8
    error_message = "Too short: ${var.p}."
  }
}
