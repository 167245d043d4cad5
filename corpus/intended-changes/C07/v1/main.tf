variable "n" {
  type = number
}

resource "terraform_data" "foo" {
  count = var.n
}

resource "terraform_data" "bar" {
  input = join(",", terraform_data.foo[*].id)
}
