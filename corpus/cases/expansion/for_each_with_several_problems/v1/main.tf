resource "terraform_data" "sensitive_tuple" {
  for_each = sensitive(["a"])
}

resource "terraform_data" "sensitive_null" {
  for_each = sensitive(null)
}

resource "terraform_data" "sensitive_numbers" {
  for_each = sensitive(toset([1]))
}

resource "terraform_data" "null_element" {
  for_each = toset([null])
}

resource "terraform_data" "not_computable" {
  for_each = { a = 1 }.b
}
