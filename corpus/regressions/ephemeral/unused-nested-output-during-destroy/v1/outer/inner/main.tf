resource "terraform_data" "one" {}

output "unused" {
  value = terraform_data.one.output
}
