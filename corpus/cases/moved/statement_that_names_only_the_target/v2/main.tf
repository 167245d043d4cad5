resource "terraform_data" "a" {
  count = 2
  input = "a"
}

moved {
  from = terraform_data.b
  to   = terraform_data.a[1]
}
