resource "sim_thing" "x" {
  count = 10

  name = "x${count.index}"
}
