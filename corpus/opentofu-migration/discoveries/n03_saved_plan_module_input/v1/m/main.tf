variable "name" {}

resource "terraform_data" "x" {
  input = var.name
}
