variable "of" {}

output "text" {
  value = "${var.of}!"
}
