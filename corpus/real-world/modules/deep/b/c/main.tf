variable "text" {}

resource "terraform_data" "t" {
  input = "${var.text}c:${path.module}"
}

output "text" {
  value = terraform_data.t.output
}
