resource "terraform_data" "other" {
}

resource "terraform_data" "a" {
  count = 2
}
