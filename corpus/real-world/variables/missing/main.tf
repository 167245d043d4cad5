variable "required" {
  type        = string
  description = "Has no default."
}

output "value" {
  value = var.required
}
