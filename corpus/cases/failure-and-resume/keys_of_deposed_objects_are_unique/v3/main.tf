resource "sim_thing" "a" {
  count = 2

  name      = "a${count.index}"
  force_new = "3"

  lifecycle {
    create_before_destroy = true
  }
}
