variable "label" {
  type = string
}

resource "terraform_data" "server" {
  input = var.label
}

output "label" {
  value = terraform_data.server.output
}
