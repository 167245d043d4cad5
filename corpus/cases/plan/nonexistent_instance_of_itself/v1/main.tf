resource "terraform_data" "x" {
  count = 2
  input = terraform_data.x[5].id
}
