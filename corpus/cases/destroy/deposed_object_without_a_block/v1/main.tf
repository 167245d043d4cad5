resource "sim_thing" "other" {
  name = "other"
}
