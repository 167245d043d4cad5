resource "sim_thing" "two" {
  name = "x"
}

moved {
  from = sim_thing.one
  to   = sim_thing.two
}
