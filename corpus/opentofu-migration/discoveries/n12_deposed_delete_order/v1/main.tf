resource "sim_thing" "a" {
  name      = "a"
  force_new = "1"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "b" {
  name   = "b"
  parent = sim_thing.a.id
}
