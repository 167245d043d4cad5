resource "terraform_data" "a" {
  input = "x"

  provisioner "local-exec" {
    command    = "echo ${tonumber(self.output)}"
    on_failure = continue
  }
}
