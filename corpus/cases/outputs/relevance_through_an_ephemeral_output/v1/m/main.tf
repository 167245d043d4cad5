variable "tok" {
  type      = string
  ephemeral = true
}
resource "terraform_data" "a" {
  input = "a"
}
output "e" {
  ephemeral = true
  value     = "${var.tok}-${terraform_data.a.output}"
}
