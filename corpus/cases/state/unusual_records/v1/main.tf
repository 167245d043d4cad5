resource "terraform_data" "new" {
}

resource "terraform_data" "many" {
  count = 2
}
