resource "sim_thing" "a" {
  name  = "a"
  value = "two"
}

data "sim_lookup" "d" {
  count      = 1
  name       = "d"
  depends_on = [sim_thing.a]
}
