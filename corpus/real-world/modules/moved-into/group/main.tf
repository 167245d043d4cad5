resource "terraform_data" "this" {
  input = "group"
}

output "name" {
  value = terraform_data.this.output
}
