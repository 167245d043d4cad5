resource "sim_thing" "x" {
  name = "x"

  provisioner "local-exec" {
    command    = "echo first; exit 1"
    on_failure = continue
  }

  provisioner "local-exec" {
    command = "exit 1"
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo never for tainted"
  }
}
