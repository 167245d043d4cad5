provider "terraform" {
  alias    = "by"
  for_each = local.a
}
locals {
  a = local.b
  b = terraform_data.x.id
}
resource "terraform_data" "x" {}
