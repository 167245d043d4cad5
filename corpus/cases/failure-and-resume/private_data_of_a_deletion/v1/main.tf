resource "simcloud_private" "x" {
  name  = "x"
  value = "1"
}

resource "sim_thing" "y" {
  name = "y"
}
