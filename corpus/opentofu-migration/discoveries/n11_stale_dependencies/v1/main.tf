resource "terraform_data" "a" {
  input = "same"
}

resource "terraform_data" "b" {
  input = terraform_data.a.input
}
