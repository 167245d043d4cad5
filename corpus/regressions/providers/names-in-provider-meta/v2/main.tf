terraform {
  provider_meta "terraform" {
    a = 1
  }
  provider_meta "a_b" {
    a = var.x
  }
  provider_meta "A" {
    a = var.x
  }
}
resource "terraform_data" "x" {}
