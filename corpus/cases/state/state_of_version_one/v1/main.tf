resource "terraform_data" "new" {
  input = "new"
}
