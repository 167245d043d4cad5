data "sim_lookup" "d" {
  name = "zone"
}

resource "sim_thing" "x" {
  name  = "x"
  value = data.sim_lookup.d.result
}
