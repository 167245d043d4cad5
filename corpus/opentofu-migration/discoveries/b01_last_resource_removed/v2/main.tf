output "nothing" {
  value = "left"
}
