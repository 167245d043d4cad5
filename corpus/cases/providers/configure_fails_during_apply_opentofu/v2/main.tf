module "m" {
  source   = "./m"
  for_each = toset(["x"])
}

removed {
  from = sim_thing.a

  lifecycle {
    destroy = false
  }
}
