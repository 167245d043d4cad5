resource "sim_thing" "site" {
  name      = "blue"
  force_new = "1"

  lifecycle {
    create_before_destroy = true
  }
}
