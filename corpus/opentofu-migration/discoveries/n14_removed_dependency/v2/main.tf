resource "terraform_data" "b" {
  input = "alone"
}
