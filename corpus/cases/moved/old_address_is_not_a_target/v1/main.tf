resource "sim_thing" "old" {
  name = "it"
}
