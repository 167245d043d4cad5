resource "sim_thing" "x" {
  name      = "x"
  unique    = "one"
  force_new = "1"

  lifecycle {
    create_before_destroy = true
  }
}
