variable "number" {
  type = any
}

variable "keys" {
  type = any
}

resource "terraform_data" "a" {
  count = var.number.n
}

resource "terraform_data" "b" {
  for_each = var.keys.k
}
