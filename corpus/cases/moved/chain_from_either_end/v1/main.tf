resource "sim_thing" "a" {
  name = "whole"
}

resource "sim_thing" "f" {
  name = "half"
}
