resource "terraform_data" "a" {
  input = "a"
  lifecycle {
    destroy = false
    prevent_destroy = true
  }
}
resource "terraform_data" "b" {
  input = "b"
  lifecycle {
    replace_triggered_by = [terraform_data.a]
  }
}
resource "terraform_data" "c" {
  input = "b"
  lifecycle {
    replace_triggered_by = [terraform_data.a.id]
    destroy = false
  }
}
