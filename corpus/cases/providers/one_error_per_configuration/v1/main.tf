provider "sim" {
  region = "void"
}

resource "sim_thing" "x" {
  count = 3

  name = "x${count.index}"
}
