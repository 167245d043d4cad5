output "taken" {
  value = "module"
}
