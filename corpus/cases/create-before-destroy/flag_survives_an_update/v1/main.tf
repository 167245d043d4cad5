resource "sim_thing" "b" {
  name      = "b"
  value     = "1"
  force_new = "x"
}

resource "sim_thing" "a" {
  name      = "a"
  parent    = sim_thing.b.id
  force_new = "x"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "c" {
  name      = "c"
  force_new = "x"

  depends_on = [sim_thing.b]

  lifecycle {
    create_before_destroy = true
  }
}
