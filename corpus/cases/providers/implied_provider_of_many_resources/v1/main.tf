resource "terraform_data" "x" {
  count = 2

  input = count.index
}

resource "terraform_data" "y" {
  input = terraform_data.x[*].id
}
