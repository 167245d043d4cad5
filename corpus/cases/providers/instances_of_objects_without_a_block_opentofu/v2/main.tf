provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
