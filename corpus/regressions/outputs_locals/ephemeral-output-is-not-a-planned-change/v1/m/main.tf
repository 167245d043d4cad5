variable "hidden" {
  ephemeral = true
}
variable "plain" {
}
output "hidden" {
  value     = var.hidden
  ephemeral = true
}
output "plain" {
  value = var.plain
}
output "applying" {
  value     = terraform.applying
  ephemeral = true
}
