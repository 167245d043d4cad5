resource "sim_thing" "x" {
  count = 1

  name = "x"
}
