resource "sim_thing" "a" {
  count = 2

  name      = "a${count.index}"
  force_new = "1"

  lifecycle {
    create_before_destroy = true
  }
}
