resource "terraform_data" "a" {
  input = 1
  lifecycle {
    precondition {
      condition     = length(local.zones) >= 2
      error_message = "Two zones are needed, and there are ${length(local.zones)}."
    }
  }
}

locals {
  zones = ["only"]
}
