resource "sim_thing" "one" {
  name = "x"
}
