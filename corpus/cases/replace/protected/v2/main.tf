resource "sim_thing" "x" {
  name      = "x"
  force_new = "2"

  lifecycle {
    prevent_destroy = true
  }
}
