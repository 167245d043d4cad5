resource "terraform_data" "x" {
  count = 3
  input = "value ${count.index}"

  provisioner "local-exec" {
    command = "echo ${terraform_data.x[0].output}"
  }
}
