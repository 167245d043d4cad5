resource "terraform_data" "a" {
  input = false
  triggers_replace = 2
  lifecycle {
    destroy = false
    prevent_destroy = terraform_data.a.input
  }
}
