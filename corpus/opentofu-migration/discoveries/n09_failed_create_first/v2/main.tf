resource "sim_thing" "a" {
  name      = "a"
  force_new = "2"

  lifecycle {
    create_before_destroy = true
  }
}
