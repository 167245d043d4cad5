resource "sim_thing" "a" {
  name      = "a"
  force_new = "3"

  lifecycle {
    create_before_destroy = true
  }
}
