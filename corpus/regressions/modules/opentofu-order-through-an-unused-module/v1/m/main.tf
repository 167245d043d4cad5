variable "given" {}

resource "terraform_data" "kept" {
  lifecycle {
    ignore_changes = [input]
  }
  input = var.given
}
