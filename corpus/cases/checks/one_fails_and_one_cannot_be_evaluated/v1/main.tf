variable "names" {
  default = []
}

check "names" {
  assert {
    condition     = length(var.names) > 0
    error_message = "No names."
  }

  assert {
    condition     = var.names[0] == "a"
    error_message = "The first is another."
  }
}
