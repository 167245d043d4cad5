variable "v" {
  type = string
}

resource "terraform_data" "a" {
}

output "o" {
  value = var.v

  precondition {
    condition     = var.v == "good"
    error_message = "Not good."
  }
}
