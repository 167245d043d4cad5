resource "sim_thing" "a" {
  name      = "a"
  value     = "new"
  force_new = "2"

  lifecycle {
    ignore_changes = [value]
  }
}
