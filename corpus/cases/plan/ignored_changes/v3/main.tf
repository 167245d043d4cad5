resource "sim_thing" "a" {
  name   = "a"
  value  = "2"
  secret = "s"

  lifecycle {
    ignore_changes = [value]
  }
}
