variable "n" {
  default = 1
}

resource "terraform_data" "used" {
  count = var.n
}

resource "terraform_data" "user" {
  input = terraform_data.used[*].id
}
