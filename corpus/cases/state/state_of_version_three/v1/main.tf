resource "terraform_data" "new" {
  input = "new"
}

output "kept" {
  value = "new"
}
