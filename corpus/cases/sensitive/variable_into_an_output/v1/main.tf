variable "s" {
  type      = string
  sensitive = true
}

output "o" {
  value = var.s
}
