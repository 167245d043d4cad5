variable "n" {
  default = 1
}

variable "v" {
  default = 1
}

resource "terraform_data" "base" {
  input = var.v
}

resource "terraform_data" "user" {
  count = var.n
  input = terraform_data.base.output
}
