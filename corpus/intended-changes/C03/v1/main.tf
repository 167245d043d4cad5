resource "terraform_data" "a" {
  count = 2
}

# Made from what decided how many there are, which is nothing.
resource "terraform_data" "b" {
  input = length(terraform_data.a)
}
