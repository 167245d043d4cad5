resource "sim_thing" "x" {
  count = 1

  name      = "x"
  force_new = "1"
}
