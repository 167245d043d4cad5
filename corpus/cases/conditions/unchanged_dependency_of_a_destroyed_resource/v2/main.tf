variable "v" {
  default = "one"
}

resource "terraform_data" "a" {
  lifecycle {
    precondition {
      condition     = var.v == "one"
      error_message = "Not one."
    }
  }
}
