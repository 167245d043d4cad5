resource "sim_thing" "x" {
  count = 3
  name  = "x${count.index}"

  provisioner "local-exec" {
    command = "echo ${sim_thing.x[0].name}"
  }
}
