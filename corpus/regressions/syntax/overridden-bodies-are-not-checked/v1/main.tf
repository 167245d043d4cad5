resource "terraform_data" "a" {
  nope = 1
}
