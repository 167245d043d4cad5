variable "given" {
  type      = string
  ephemeral = true
}

resource "terraform_data" "r" {
  input = "x"
}

output "constant" {
  value     = "x"
  ephemeral = true
}

output "resource" {
  value     = terraform_data.r.output
  ephemeral = true
}

output "partly" {
  value     = { a = var.given }
  ephemeral = true
}

output "nothing" {
  value     = null
  ephemeral = true
}

output "right" {
  value     = "${var.given}-x"
  ephemeral = true
}
