resource "sim_thing" "a" {
  name      = "a"
  value     = "old"
  force_new = "1"

  lifecycle {
    ignore_changes = [value]
  }
}
