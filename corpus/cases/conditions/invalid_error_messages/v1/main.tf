variable "text" {
  type    = string
  default = "x"
}

resource "terraform_data" "list" {
  lifecycle {
    precondition {
      condition     = var.text == "x"
      error_message = [var.text]
    }
  }
}
