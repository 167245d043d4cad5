removed {
  from = sim_thing.x

  lifecycle {
    destroy = false
  }
}
