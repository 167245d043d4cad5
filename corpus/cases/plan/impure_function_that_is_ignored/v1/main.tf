resource "sim_thing" "a" {
  name  = "a"
  value = timestamp()

  lifecycle {
    ignore_changes = [value]
  }
}
