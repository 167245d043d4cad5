output "gone" {
  value = true
}
