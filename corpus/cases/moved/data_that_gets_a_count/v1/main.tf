resource "sim_thing" "a" {
  name  = "a"
  value = "one"
}

data "sim_lookup" "d" {
  name       = "d"
  depends_on = [sim_thing.a]
}
