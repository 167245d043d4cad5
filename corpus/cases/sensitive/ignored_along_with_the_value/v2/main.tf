resource "terraform_data" "a" {
  input = sensitive("x")

  lifecycle {
    ignore_changes = [input]
  }
}
