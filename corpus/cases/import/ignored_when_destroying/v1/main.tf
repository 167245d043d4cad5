resource "sim_thing" "mine" {
  name = "mine"
}
