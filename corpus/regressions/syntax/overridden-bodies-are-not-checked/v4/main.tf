resource "terraform_data" "a" {
  input = 1
  connection {
    hostt = 1
  }
  provisioner "local-exec" {
    comand = "x"
  }
  lifecycle {
    foo = 1
  }
}
resource "terraform_data" "b" {
  bad = 1
}
provider "terraform" {
  x = 1
}
