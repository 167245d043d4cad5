variable "a" { 
type = number 
nullable = false
  validation {
    condition = var.a == 1
    error_message = "v"
  }
}
