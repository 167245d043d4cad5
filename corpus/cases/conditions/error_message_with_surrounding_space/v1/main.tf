variable "v" {
  type = string
}

resource "terraform_data" "a" {
  input = var.v
}

check "c" {
  assert {
    condition     = var.v == "one"
    error_message = <<-END

      It is not one.
    END
  }
}
