variable "text" {
  type    = string
  default = "x"
}

resource "terraform_data" "x" {}

resource "terraform_data" "later" {
  lifecycle {
    precondition {
      condition     = var.text == "y"
      error_message = terraform_data.x.id
    }
  }
}

check "later" {
  assert {
    condition     = var.text == "y"
    error_message = terraform_data.x.id
  }
}
