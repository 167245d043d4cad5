variable "of" {}

output "text" {
  value = upper(var.of)
}
