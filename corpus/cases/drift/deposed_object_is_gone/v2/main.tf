resource "sim_thing" "site" {
  name      = "green"
  force_new = "2"

  lifecycle {
    create_before_destroy = true
  }
}
