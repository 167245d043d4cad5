resource "terraform_data" "a" {
  input            = "new"
  triggers_replace = 2
  lifecycle {
    ignore_changes = [input]
  }
}
