provider "terraform" {
  alias    = "by"
  for_each = var.nope
}
