locals {
  size = 2
}

resource "terraform_data" "a" {
  input = "overridden ${var.name}"
  lifecycle {
    create_before_destroy = true
  }
}
