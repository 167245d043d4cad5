resource "sim_thing" "x" {
  name = "x"
}

resource "sim_thing" "y" {
  name = "y"
}
