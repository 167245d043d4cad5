variable "secret" {
  type      = string
  ephemeral = true
}

output "o" {
  value     = var.secret
  ephemeral = true
}
