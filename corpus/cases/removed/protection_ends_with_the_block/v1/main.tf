resource "sim_thing" "a" {
  name = "a"

  lifecycle {
    prevent_destroy = true
  }
}

resource "sim_thing" "b" {
  name = "b"
}
