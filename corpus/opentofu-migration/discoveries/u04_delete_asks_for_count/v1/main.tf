variable "n" {
  default = 1
}

variable "t" {
  default = 1
}

resource "terraform_data" "a" {
  triggers_replace = var.t
}

resource "terraform_data" "b" {
  count = var.n * length([terraform_data.a.id])
  input = terraform_data.a.id
}
