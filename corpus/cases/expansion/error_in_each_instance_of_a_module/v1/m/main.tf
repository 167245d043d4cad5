variable "number" {}

resource "terraform_data" "x" {
  count = var.number
}
