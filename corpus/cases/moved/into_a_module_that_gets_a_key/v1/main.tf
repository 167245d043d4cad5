resource "sim_thing" "lb" {
  name = "lb"
}
