provider "terraform" {
  alias    = "of"
  for_each = toset(["x", "y"])
}
resource "terraform_data" "a" {
  for_each = toset(["x", "y"])
  provider = terraform.of[each.key]
  input    = "i"
}
