resource "terraform_data" "a" {
  input = "a"
}

output "kept" {
  value = terraform_data.a.output
}
