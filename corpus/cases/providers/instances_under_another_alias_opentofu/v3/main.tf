provider "terraform" {
  alias    = "to"
  for_each = toset(["x", "y"])
}
resource "terraform_data" "a" {
  for_each = toset(["x"])
  provider = terraform.to[each.key]
  input    = "i"
}
