resource "sim_thing" "a" {
  count = 2
  name  = "a${count.index}"

  provisioner "local-exec" {
    command = "echo ${join(" ", sim_thing.a[*].id)}"
  }
}
