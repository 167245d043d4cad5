resource "terraform_data" "b" {
  input = "a"
}

moved {
  from = terraform_data.a
  to   = terraform_data.b
}
