resource "sim_thing" "c" {
  name = "c"
}

data "sim_lookup" "d" {
  name = "inside"
}
