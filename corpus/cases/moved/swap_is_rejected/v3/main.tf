resource "sim_thing" "other" {
  name = "other"
}

moved {
  from = sim_thing.left
  to   = sim_thing.right
}

moved {
  from = sim_thing.right
  to   = sim_thing.left
}
