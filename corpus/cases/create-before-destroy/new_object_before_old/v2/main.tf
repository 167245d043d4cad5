resource "sim_thing" "x" {
  name      = "x"
  unique    = "one"
  force_new = "2"

  lifecycle {
    create_before_destroy = true
  }
}
