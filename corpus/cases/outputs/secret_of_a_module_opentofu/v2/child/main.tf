output "o" {
  value     = "plain"
  sensitive = true
}

output "p" {
  value = "plain"
}
