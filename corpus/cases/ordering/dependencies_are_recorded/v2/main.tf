resource "sim_thing" "a" {
  count = 1

  name = "a${count.index}"
}
