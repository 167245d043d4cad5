variable "e" {
  default = 1
  ephemeral = true
}
output "o" {
  value = var.e
  depends_on = [terraform_data.nope]
}
