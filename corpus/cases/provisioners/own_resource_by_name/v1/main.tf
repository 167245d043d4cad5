resource "sim_thing" "a" {
  name = "a"

  provisioner "local-exec" {
    command = "echo ${sim_thing.a.id}"
  }
}
