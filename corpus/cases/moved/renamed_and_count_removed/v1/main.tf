resource "sim_thing" "x" {
  name = "x"
}

resource "sim_thing" "z" {
  count = 1

  name = "z"
}
