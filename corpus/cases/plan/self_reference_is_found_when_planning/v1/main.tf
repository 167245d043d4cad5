resource "sim_thing" "x" {
  name  = "x"
  value = sim_thing.x.id
}
