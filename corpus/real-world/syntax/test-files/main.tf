variable "name" {
  type    = string
  default = "app"
}

resource "terraform_data" "a" {
  input = var.name
}

output "name" {
  value = terraform_data.a.output
}
