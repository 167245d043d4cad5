resource "sim_thing" "a" {
  name  = "a"
  value = "2"
}

resource "sim_thing" "b" {
  name  = "b"
  value = sim_thing.a.id
}
