resource "terraform_data" "a" {
  input = { host = "a" }

  connection {
    host = self.output.missing
    user = "u"
  }

  provisioner "local-exec" {
    command = "echo one"

    connection {
      host = self.output.host
    }
  }
}
