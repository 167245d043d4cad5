variable "password" {
  type      = string
  sensitive = true

  validation {
    condition     = length(var.password) > 8
    error_message = "Too short: ${var.password}."
  }
}

module "m" {
  source = "./m"
  p      = var.password
}
