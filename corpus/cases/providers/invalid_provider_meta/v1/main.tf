resource "sim_thing" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name = "b"
}
