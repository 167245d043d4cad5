resource "sim_thing" "a" {
  name = "a"
}

data "sim_lookup" "d" {
  name = "after"

  depends_on = [sim_thing.a]
}

resource "sim_thing" "use" {
  name  = "use"
  value = data.sim_lookup.d.result
}
