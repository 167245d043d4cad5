variable "token" {
  default   = "t"
  ephemeral = true
}

resource "terraform_data" "later" {}

output "part" {
  value = { a = var.token, b = 1 }
}

output "part_beside_unknown" {
  value = { a = var.token, b = terraform_data.later.id }
}

output "sensitive_too" {
  value = sensitive(var.token)
}

output "declared" {
  value     = 1
  ephemeral = true
}
