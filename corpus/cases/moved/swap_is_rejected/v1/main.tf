resource "sim_thing" "left" {
  name = "left"
}

resource "sim_thing" "right" {
  name = "right"
}
