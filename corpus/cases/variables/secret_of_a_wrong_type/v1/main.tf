variable "secret" {
  type      = number
  sensitive = true
  nullable  = false
}

variable "plain" {
  type     = number
  nullable = false
}

resource "terraform_data" "x" {
  input = [var.secret, var.plain]
}
