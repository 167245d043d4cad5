resource "terraform_data" "a" {
  count = 2

  provisioner "local-exec" {
    command = "sleep 0.1"
  }
}
