resource "terraform_data" "x" {
  provisioner "local-exec" {
    when    = destroy
    command = "echo bye"
  }
}
