resource "sim_thing" "a" {
  count = 13

  name = "a${count.index}"
}
