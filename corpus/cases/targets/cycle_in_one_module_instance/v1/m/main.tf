resource "terraform_data" "x" {
  count = 2

  provisioner "local-exec" {
    command = terraform_data.x
  }
}
