variable "size" {
  default = 3
}

check "remote" {
  data "terraform_remote_state" "r" {
    backend = "local"
    config  = { path = "missing.tfstate" }
  }

  assert {
    condition     = var.size > 3
    error_message = "Too small: ${var.size}."
  }
}
