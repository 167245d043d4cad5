resource "sim_thing" "y" {
  name = "y"
}
