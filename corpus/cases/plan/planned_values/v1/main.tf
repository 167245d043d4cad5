resource "sim_thing" "kept" {
  name  = "kept"
  value = "1"
}

resource "sim_thing" "changed" {
  name   = "changed"
  value  = "1"
  secret = "one"
}
