resource "sim_thing" "base" {
  name = "a"
}

resource "sim_thing" "b" {
  name   = "b"
  parent = sim_thing.base.id
}

moved {
  from = sim_thing.a
  to   = sim_thing.base
}
