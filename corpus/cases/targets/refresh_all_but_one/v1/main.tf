resource "sim_thing" "a" {
  name  = "a"
  value = "1"
}

resource "sim_thing" "b" {
  name  = "b"
  value = "1"
}
