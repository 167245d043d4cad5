variable "value" {
  validation {
    condition     = var.value == "a"
    error_message = "The value has to be a."
  }
}

variable "ids" {
  validation {
    condition     = length(var.ids) == 2
    error_message = "There have to be two."
  }
}
