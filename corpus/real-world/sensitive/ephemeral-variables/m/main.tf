variable "token" { ephemeral = true }
output "len" {
  value = ephemeralasnull(length(var.token))
}
output "tok" {
  value     = var.token
  ephemeral = true
}
