resource "sim_thing" "b" {
  name = "b"
}

moved {
  from = sim_thing.a
  to   = sim_thing.b
}
