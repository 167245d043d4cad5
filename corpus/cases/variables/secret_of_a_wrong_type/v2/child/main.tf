variable "secret" {
  type      = number
  sensitive = true
}

variable "plain" {
  type = number
}

output "sum" {
  value     = var.secret + var.plain
  sensitive = true
}
