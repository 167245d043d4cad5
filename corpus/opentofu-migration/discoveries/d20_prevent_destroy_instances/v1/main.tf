variable "n" {
  default = 1
}

resource "terraform_data" "a" {
  count = var.n

  lifecycle {
    prevent_destroy = true
  }
}
