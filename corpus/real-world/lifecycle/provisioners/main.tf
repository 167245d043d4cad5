resource "terraform_data" "a" {
  input = "a"
  provisioner "local-exec" {
    command     = "echo ${self.input}"
    environment = { NAME = self.input }
  }
  provisioner "local-exec" {
    when       = destroy
    on_failure = continue
    command    = "echo bye ${self.input}"
  }
}
