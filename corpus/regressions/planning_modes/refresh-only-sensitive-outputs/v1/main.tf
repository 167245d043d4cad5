output "by_declaration" {
  value     = "a"
  sensitive = true
}

output "by_value" {
  value     = { part = sensitive("b"), rest = ["c"] }
  sensitive = true
}
