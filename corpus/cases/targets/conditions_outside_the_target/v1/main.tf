variable "v" {
  default = "one"
}

resource "terraform_data" "x" {
  count = 2
  input = var.v

  lifecycle {
    precondition {
      condition     = var.v == "one"
      error_message = "Not one."
    }
  }
}
