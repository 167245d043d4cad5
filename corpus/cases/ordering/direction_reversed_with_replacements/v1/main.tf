resource "sim_thing" "a" {
  name      = "a"
  force_new = "1"
}

resource "sim_thing" "b" {
  name      = "b"
  force_new = "1"
  value     = sim_thing.a.id
}
