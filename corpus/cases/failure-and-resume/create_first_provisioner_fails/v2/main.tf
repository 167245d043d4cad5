resource "sim_thing" "a" {
  name      = "a"
  force_new = "2"

  provisioner "local-exec" {
    command = "exit 3"
  }

  lifecycle {
    create_before_destroy = true
  }
}
