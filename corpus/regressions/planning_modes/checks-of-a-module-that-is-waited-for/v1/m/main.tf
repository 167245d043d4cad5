variable "given" {}

check "given" {
  assert {
    condition     = var.given
    error_message = "It must be given."
  }
}
