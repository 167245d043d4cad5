resource "sim_thing" "a" {
  name = "a"

  provisioner "local-exec" {
    command = "echo hello"
  }
}
