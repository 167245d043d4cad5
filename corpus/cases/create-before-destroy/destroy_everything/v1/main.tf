resource "sim_thing" "a" {
  name = "a"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "b" {
  name   = "b"
  parent = sim_thing.a.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "c" {
  name   = "c"
  parent = sim_thing.b.id
}
