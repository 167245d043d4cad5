variable "v" {
  type = string
}

resource "terraform_data" "b" {
  input = tonumber(var.v)
}

moved {
  from = terraform_data.a
  to   = terraform_data.b
}
