resource "terraform_data" "a" {
  input = "localhost"
}

resource "terraform_data" "b" {
  provisioner "local-exec" {
    command = "true"

    connection {
      host = terraform_data.a.output
    }
  }
}
