output "text" {
  value      = "x"
  deprecated = "Use object."
}

output "object" {
  value      = { key = 1 }
  deprecated = "Use nothing."
}

output "secret" {
  value      = "s"
  sensitive  = true
  deprecated = "Use text."
}
