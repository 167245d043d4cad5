resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name   = "b"
  parent = sim_thing.a.id
}

resource "sim_thing" "c" {
  name   = "c"
  parent = sim_thing.b.id
}
