variable "keep" {
  type = bool
}

locals {
  keep = var.keep || terraform_data.other.input == "keep"
}

resource "terraform_data" "other" {
  input = "drop"
}

resource "terraform_data" "kept" {
  lifecycle {
    prevent_destroy = local.keep
  }
}
