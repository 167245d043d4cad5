resource "sim_thing" "a" {
  name  = "a"
  value = sim_thing.b.version
}

resource "sim_thing" "b" {
  name  = "b"
  value = "2"
}
