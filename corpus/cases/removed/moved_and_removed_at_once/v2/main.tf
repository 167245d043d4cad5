moved {
  from = sim_thing.a
  to   = sim_thing.b
}

removed {
  from = sim_thing.b

  lifecycle {
    destroy = false
  }
}
