resource "sim_thing" "inner" {
  name      = "inner"
  force_new = "2"
}
