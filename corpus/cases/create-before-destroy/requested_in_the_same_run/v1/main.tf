resource "sim_thing" "lamp" {
  name      = "lamp"
  force_new = "old"
}

resource "sim_thing" "shade" {
  name  = "shade"
  value = sim_thing.lamp.id
}
