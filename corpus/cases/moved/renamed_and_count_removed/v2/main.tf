resource "sim_thing" "y" {
  name = "x"
}

resource "sim_thing" "z" {
  name = "z"
}

moved {
  from = sim_thing.x
  to   = sim_thing.y
}
