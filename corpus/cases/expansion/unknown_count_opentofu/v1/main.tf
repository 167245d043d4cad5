resource "terraform_data" "x" {
  input = "x"
}

resource "terraform_data" "counted" {
  count = length(terraform_data.x.id)
}

resource "terraform_data" "each" {
  for_each = toset([terraform_data.x.id])
}
