provider "sim" {
  region = "of-${length(simcloud_updated.c)}"
}

resource "simcloud_updated" "c" {
  count = 0
  name  = "c"
}

resource "sim_thing" "b" {
  name = "b"
}
