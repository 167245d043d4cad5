variable "token" {
  default   = "s3cr3t-value"
  sensitive = true
}

output "token" {
  value = "Bearer ${var.token}"
}
