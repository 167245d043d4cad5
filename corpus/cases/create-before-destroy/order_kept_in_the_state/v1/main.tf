resource "sim_thing" "a" {
  name      = "a"
  force_new = "1"
}

resource "sim_thing" "b" {
  name   = "b"
  value  = sim_thing.a.id
  parent = sim_thing.a.id

  lifecycle {
    create_before_destroy = true
  }
}
