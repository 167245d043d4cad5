resource "sim_thing" "a" {
  name      = "a"
  force_new = "1"

  lifecycle {
    create_before_destroy = false
  }
}

resource "sim_thing" "b" {
  name      = "b"
  force_new = "1"
  parent    = sim_thing.a.id

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "c" {
  name      = "c"
  force_new = "1"

  lifecycle {
    create_before_destroy = false
  }
}
