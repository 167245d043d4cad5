resource "sim_thing" "first" {
  name = "x"
}
