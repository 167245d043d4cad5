provider "terraform" {
  alias = "by"
}
