output "literal" {
  value = [5, 0.5, -3]
}

output "same" {
  value = max(1, 2)
}

output "made" {
  value = { length = length("abc") }
}
