provider "terraform" {
  alias    = "by"
  for_each = toset(["x", "y"])
}
removed {
  from = terraform_data.a
  lifecycle {
    destroy = false
  }
}
