resource "sim_thing" "x" {
  name      = "x"
  force_new = "1"

  lifecycle {
    prevent_destroy = true
  }
}

resource "sim_thing" "y" {
  name      = "y"
  force_new = "1"

  lifecycle {
    prevent_destroy = true
  }
}
