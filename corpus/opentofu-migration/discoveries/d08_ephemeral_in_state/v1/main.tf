variable "token" {
  default   = "sekrit"
  ephemeral = true
}

resource "terraform_data" "a" {
  input = var.token
}

output "token" {
  value = var.token
}
