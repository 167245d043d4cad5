variable "name" {}

output "name" {
  value = "${var.name}."
}
