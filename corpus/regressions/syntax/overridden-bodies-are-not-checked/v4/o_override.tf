resource "terraform_data" "a" {
  connection {
    hosst = 1
  }
  lifecycle {
    fooo = 1
  }
}
provider "terraform" {
}
