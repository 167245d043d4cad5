variable "keys" {}
provider "terraform" {
  alias    = "by"
  for_each = toset(var.keys)
}
resource "terraform_data" "a" {
  provider = terraform.by["x"]
  input    = "i"
}
