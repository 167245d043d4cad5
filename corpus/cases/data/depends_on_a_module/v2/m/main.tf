variable "input" {}

resource "terraform_data" "a" {
  input = var.input
}
