resource "terraform_data" "a" {}
output "o" { value = 1 }
