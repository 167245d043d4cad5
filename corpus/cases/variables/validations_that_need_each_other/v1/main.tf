variable "low" {
  type = number

  validation {
    condition     = var.low < var.high
    error_message = "Too low."
  }
}

variable "high" {
  type = number

  validation {
    condition     = var.high > var.low
    error_message = "Too high."
  }
}
