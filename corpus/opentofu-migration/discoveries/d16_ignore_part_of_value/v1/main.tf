variable "v" {
  default = 1
}

resource "terraform_data" "a" {
  input = {
    x = var.v
    y = var.v
  }

  lifecycle {
    ignore_changes = [input.x]
  }
}
