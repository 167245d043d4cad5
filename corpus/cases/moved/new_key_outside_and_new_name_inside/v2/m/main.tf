resource "sim_thing" "second" {
  name = "x"
}

moved {
  from = sim_thing.first
  to   = sim_thing.second
}
