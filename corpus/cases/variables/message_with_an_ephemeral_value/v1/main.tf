variable "token" {
  ephemeral = true
  default   = "short"

  validation {
    condition     = length(var.token) > 10
    error_message = "Too short: ${var.token}."
  }
}
