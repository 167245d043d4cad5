resource "sim_thing" "a" {
  name  = "a"
  value = "new"

  lifecycle {
    ignore_changes = all
  }
}
