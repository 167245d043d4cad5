output "nothing" {
  value = "nothing"
}
