resource "terraform_data" "x" {
  input = "b"
}
