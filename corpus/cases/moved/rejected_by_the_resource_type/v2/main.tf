resource "simcloud_updated" "b" {
  name = "b"
}

resource "sim_thing" "a" {
  name = "a"
}

moved {
  from = simcloud_updated.a
  to   = sim_thing.a
}
