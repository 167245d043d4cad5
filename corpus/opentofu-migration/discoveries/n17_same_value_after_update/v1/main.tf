variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  input = var.v
}

resource "terraform_data" "b" {
  input = terraform_data.a.output > 0
}
