resource "terraform_data" "a" {}

resource "terraform_data" "b" {
  for_each = terraform_data.a.id
}

output "o" {
  value = tolist(terraform_data.a.id)
}
