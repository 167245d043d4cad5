resource "sim_thing" "x" {
  name      = "x"
  force_new = "1"

  lifecycle {
    prevent_destroy = true
  }
}
