resource "terraform_data" "b" {
  input = { host = "b" }

  connection {
    host = "h"
    user = self.output.missing
  }

  provisioner "local-exec" {
    command = "echo one"

    connection {
      host = self.output.host
    }
  }
}
