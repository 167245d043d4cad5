output "zone" {
  value = "none"
}
