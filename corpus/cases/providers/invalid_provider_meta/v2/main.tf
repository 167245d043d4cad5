resource "sim_thing" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name = "b"
}

resource "simcloud_updated" "new" {
  name = "new"
}
