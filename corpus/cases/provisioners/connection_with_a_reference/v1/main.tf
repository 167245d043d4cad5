resource "terraform_data" "host" {
  input = "localhost"
}

resource "terraform_data" "a" {
  connection {
    host = terraform_data.host.output
  }

  provisioner "local-exec" {
    command = "echo made"
  }
}
