resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "c" {
  name = "c"
}
