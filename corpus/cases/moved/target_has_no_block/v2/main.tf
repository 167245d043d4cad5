moved {
  from = sim_thing.a
  to   = sim_thing.b
}
