variable "keys" {
  type = any
}

resource "terraform_data" "a" {
  for_each = toset(var.keys)
}
