resource "terraform_data" "a" {
  input = false
  triggers_replace = 1
  lifecycle {
    prevent_destroy = terraform_data.a.input
  }
}
