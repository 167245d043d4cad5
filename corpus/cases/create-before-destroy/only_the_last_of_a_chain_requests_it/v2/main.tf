resource "sim_thing" "base" {
  name      = "base"
  force_new = "2"
}

resource "sim_thing" "middle" {
  name      = "middle"
  force_new = "2"
  parent    = sim_thing.base.id
}

resource "sim_thing" "top" {
  name      = "top"
  force_new = "2"
  parent    = sim_thing.middle.id

  lifecycle {
    create_before_destroy = true
  }
}
