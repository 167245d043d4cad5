output "o" {
  value = "kept"
}
