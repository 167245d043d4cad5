provider "terraform" {
  alias = "by"
}
resource "terraform_data" "a" {
  provider         = terraform.by
  input            = "i"
  triggers_replace = 2
}
