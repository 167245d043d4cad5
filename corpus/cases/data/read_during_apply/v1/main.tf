resource "sim_thing" "a" {
  name = "a"
}

data "sim_lookup" "d" {
  name = sim_thing.a.id
}

resource "sim_thing" "b" {
  name  = "b"
  value = data.sim_lookup.d.result
}
