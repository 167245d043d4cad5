variable "v" {
  type = string
}

resource "terraform_data" "a" {
  input = tonumber(var.v)
}

check "c" {
  assert {
    condition     = var.v == "1"
    error_message = "It is not 1."
  }
}
