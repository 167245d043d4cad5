resource "terraform_data" "a" {
  input = false
  triggers_replace = 2
  lifecycle {
    create_before_destroy = true
    prevent_destroy = terraform_data.a.input
  }
}
