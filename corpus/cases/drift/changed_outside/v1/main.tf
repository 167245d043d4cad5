resource "sim_thing" "x" {
  name  = "x"
  value = "y"
}
