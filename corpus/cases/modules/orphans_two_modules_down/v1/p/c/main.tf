resource "sim_thing" "x" {
  name = "x"
}
