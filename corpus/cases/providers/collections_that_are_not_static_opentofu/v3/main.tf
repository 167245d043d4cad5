provider "terraform" {
  alias    = "by"
  for_each = each.value
}
