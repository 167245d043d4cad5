resource "sim_thing" "y" {
  name = "y"
}

resource "sim_thing" "z" {
  name  = "z"
  value = sim_thing.y.id
}

resource "sim_thing" "x" {
  count = length([sim_thing.z.id])

  name      = "x"
  force_new = "2"
}
