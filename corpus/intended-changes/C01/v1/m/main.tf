output "present" {
  value = 1
}
