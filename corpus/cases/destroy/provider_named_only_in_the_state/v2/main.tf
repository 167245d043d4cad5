output "done" {
  value = true
}
