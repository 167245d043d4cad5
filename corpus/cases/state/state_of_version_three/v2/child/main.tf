provider "terraform" {
}

provider "terraform" {
  alias = "x"
}
