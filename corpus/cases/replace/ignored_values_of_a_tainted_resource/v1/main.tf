resource "sim_thing" "a" {
  name  = "a"
  value = "old"

  lifecycle {
    ignore_changes = all
  }
}
