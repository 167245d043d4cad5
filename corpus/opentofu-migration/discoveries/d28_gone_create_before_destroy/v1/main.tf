resource "terraform_data" "user" {
  input = "alone"
}
