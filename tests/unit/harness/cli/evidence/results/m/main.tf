variable "a" { type = number }
variable "b" { 
  type = map(string)
  nullable = false
}
variable "v" {
  validation {
    condition = var.v == 1 && var.a == 2
    error_message = "v"
  }
}
