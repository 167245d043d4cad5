variable "keys" {
  type = map(number)
}

resource "terraform_data" "y" {
  for_each = var.keys
}

resource "terraform_data" "z" {
  count = length(keys(var.keys)[0])
}
