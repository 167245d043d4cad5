resource "terraform_data" "a" {
  count = 2
}

resource "terraform_data" "b" {
  count = 2
  input = terraform_data.a[count.index].id
}
