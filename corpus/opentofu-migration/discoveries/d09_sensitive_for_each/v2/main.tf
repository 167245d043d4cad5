variable "secrets" {
  default   = ["topsecret"]
  sensitive = true
}

output "first" {
  value = var.secrets[0]
}
