resource "sim_thing" "a" {
  name  = "a"
  value = "1"

  lifecycle {
    ignore_changes = [value]
  }
}
