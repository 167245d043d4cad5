resource "sim_thing" "x" {
  count = 24

  name = "x${count.index}"
}
