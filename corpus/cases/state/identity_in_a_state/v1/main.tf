resource "terraform_data" "x" {
  input = "b"
}

resource "terraform_data" "z" {
  input = "a"
}
