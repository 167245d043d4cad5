resource "sim_thing" "lamp" {
  name      = "lamp"
  force_new = "new"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "shade" {
  name  = "shade"
  value = sim_thing.lamp.id
}
