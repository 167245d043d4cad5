resource "sim_thing" "x" {
  name  = "x"
  value = "1"
}

resource "sim_thing" "y" {
  name  = "y"
  value = sim_thing.x.id
}
