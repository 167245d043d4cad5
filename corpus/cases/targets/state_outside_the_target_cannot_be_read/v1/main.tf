resource "sim_thing" "near" {
  name = "near"
}

resource "sim_thing" "far" {
  name = "far"
}
