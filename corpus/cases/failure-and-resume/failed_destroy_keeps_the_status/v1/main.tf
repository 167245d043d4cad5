resource "sim_thing" "bad" {
  name = "bad"
}

resource "sim_thing" "good" {
  name = "good"
}
