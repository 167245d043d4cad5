variable "password" {
  type      = string
  default   = "correct horse"
  sensitive = true
}

resource "terraform_data" "db" {
  input = { user = "app", password = var.password }
}

output "connection" {
  value     = "app:${var.password}@db"
  sensitive = true
}

output "length" {
  value = nonsensitive(length(var.password))
}
