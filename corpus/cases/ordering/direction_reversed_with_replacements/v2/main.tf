resource "sim_thing" "a" {
  name      = "a"
  force_new = "2"
  value     = sim_thing.b.id
}

resource "sim_thing" "b" {
  name      = "b"
  force_new = "2"
}
