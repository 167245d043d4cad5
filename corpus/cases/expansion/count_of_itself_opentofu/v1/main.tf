resource "sim_thing" "a" {
  count = length(sim_thing.a) + 1

  name = "a${count.index}"
}
