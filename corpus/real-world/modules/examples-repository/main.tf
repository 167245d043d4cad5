variable "name" {
  type    = string
  default = "root"
}

resource "terraform_data" "this" {
  input = var.name
}

output "id" {
  value = terraform_data.this.output
}
