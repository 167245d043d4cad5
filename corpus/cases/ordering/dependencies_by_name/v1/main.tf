resource "sim_thing" "a" {
  count = 2

  name = "a${count.index}"
}

resource "sim_thing" "b" {
  name  = "b"
  value = length(sim_thing.a)
}
