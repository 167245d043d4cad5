resource "sim_thing" "x" {
  name = "x"
}

resource "sim_thing" "y" {
  count = 1

  name = "y"
}
