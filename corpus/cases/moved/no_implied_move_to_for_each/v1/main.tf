resource "sim_thing" "disk" {
  name = "disk"
}
