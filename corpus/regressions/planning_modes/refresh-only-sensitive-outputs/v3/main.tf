output "by_declaration" {
  value     = "a"
}

output "by_value" {
  value     = { part = sensitive("b"), rest = ["c"] }
  sensitive = true
}
