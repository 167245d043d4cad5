resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "exit 1"
  }
}
