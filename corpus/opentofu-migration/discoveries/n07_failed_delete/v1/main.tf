resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name   = "b"
  parent = sim_thing.a.id
}
