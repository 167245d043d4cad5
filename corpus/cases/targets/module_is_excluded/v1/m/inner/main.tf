variable "given" {
  type = string
}

resource "terraform_data" "inner" {
  input = var.given
}

output "id" {
  value = terraform_data.inner.id
}
