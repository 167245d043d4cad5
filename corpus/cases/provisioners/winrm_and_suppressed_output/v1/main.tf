variable "token" {
  default   = "t"
  ephemeral = true
}

resource "terraform_data" "warned" {
  provisioner "local-exec" {
    command = "true"
    connection {
      type = "winrm"
      host = "localhost"
    }
  }
}

resource "terraform_data" "inherited" {
  connection {
    type = "winrm"
    host = "localhost"
  }
  provisioner "local-exec" {
    command = "echo ${sensitive("s")} ${var.token}"
  }
}
