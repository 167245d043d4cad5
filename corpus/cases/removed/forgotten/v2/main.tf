removed {
  from = sim_thing.x

  lifecycle {
    destroy = false
  }
}

removed {
  from = sim_thing.y

  lifecycle {
    destroy = true
  }
}
