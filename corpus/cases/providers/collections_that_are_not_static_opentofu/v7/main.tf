provider "terraform" {
  alias    = "by"
  for_each = { a = sensitive("x"), b = uuid() }
}
resource "terraform_data" "a" {
  provider = terraform.by["b"]
  input    = "i"
}
