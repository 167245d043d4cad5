resource "sim_thing" "x" {
  name      = "x"
  force_new = "1"

  lifecycle {
    create_before_destroy = true
  }
}
