resource "terraform_data" "first" {
  provisioner "local-exec" {
    when    = destroy
    command = "exit 3"
  }
}
