resource "terraform_data" "not_computable" {
  for_each = { a = 1 }.b
}

resource "terraform_data" "unknown" {}

resource "terraform_data" "any_type" {
  for_each = terraform_data.unknown.output
}
