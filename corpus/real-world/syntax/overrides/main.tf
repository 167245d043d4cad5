locals {
  size = 1
}

variable "name" {
  default = "base"
}

resource "terraform_data" "a" {
  input            = "base"
  triggers_replace = local.size
}

output "a" {
  value = terraform_data.a.output
}
