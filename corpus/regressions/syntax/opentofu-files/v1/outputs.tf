output "o" {
  value = terraform_data.a.input
}
