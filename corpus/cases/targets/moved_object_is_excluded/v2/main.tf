resource "sim_thing" "b" {
  name = "a"
}

moved {
  from = sim_thing.a
  to   = sim_thing.b
}

resource "sim_thing" "c" {
  name  = "c"
  value = "2"
}
