provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
resource "terraform_data" "a" {
  provider         = terraform.by["y"]
  input            = "i"
  triggers_replace = 2
}
