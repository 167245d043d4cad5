provider "terraform" {
  alias    = "by"
  for_each = toset(["a", 1, sensitive("b")])
}
