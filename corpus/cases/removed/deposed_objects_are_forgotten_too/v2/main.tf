resource "sim_thing" "x" {
  name      = "x"
  force_new = "2"

  lifecycle {
    create_before_destroy = true
  }
}
