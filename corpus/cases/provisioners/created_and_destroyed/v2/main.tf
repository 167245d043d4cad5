resource "sim_thing" "x" {
  name = "x"

  provisioner "local-exec" {
    command = "echo made ${self.id}"
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo gone ${self.id}"
  }
}
