resource "terraform_data" "ids" {
  count = 2
}

resource "terraform_data" "each" {
  for_each = toset(terraform_data.ids[*].id)
}
