resource "terraform_data" "a" {
  inputs = 1
}

resource "terraform_data" {
}

output "x" {
  value = terraform_data.b.id
}
