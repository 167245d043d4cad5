resource "sim_thing" "a" {
  name  = "a"
  value = "2"

  lifecycle {
    ignore_changes = [value]
  }
}
