resource "sim_thing" "x" {
  name = "x"

  lifecycle {
    destroy = false
  }
}
