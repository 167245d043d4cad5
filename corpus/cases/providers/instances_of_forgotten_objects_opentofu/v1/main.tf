provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  provider = terraform.by[each.key]
  input    = "i"
}
