provider "terraform" {
  alias    = "by"
  for_each = [for k in ["a"] : k]
}
provider "terraform" {
  alias    = "of"
  for_each = "x"
}
provider "terraform" {
  alias    = "off"
  for_each = 3
}
