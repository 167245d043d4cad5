output "e" {
  ephemeral = true
  value = "x"
}
