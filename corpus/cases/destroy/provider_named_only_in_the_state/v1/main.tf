provider "sim" {
  region = "north"
}

resource "sim_thing" "x" {
  name = "x"
}
