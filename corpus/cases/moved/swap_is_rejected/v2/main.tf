resource "sim_thing" "left" {
  name = "right"
}

resource "sim_thing" "right" {
  name = "left"
}

moved {
  from = sim_thing.left
  to   = sim_thing.right
}

moved {
  from = sim_thing.right
  to   = sim_thing.left
}
