resource "sim_thing" "b" {
  name  = "b"
  value = "alone"
}
