resource "sim_thing" "c" {
  name = "whole"
}

resource "sim_thing" "g" {
  name = "half"
}

moved {
  from = sim_thing.a
  to   = sim_thing.b
}

moved {
  from = sim_thing.b
  to   = sim_thing.c
}

moved {
  from = sim_thing.e
  to   = sim_thing.f
}

moved {
  from = sim_thing.f
  to   = sim_thing.g
}
