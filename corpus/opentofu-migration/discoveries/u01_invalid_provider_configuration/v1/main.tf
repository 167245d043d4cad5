provider "sim" {
  region = ["x"]
}

resource "sim_thing" "a" {
  name = "a"
}
