variable "label" {
  type = string
}

resource "terraform_data" "machine" {
  input = var.label
}

moved {
  from = terraform_data.server
  to   = terraform_data.machine
}

output "label" {
  value = terraform_data.machine.output
}
