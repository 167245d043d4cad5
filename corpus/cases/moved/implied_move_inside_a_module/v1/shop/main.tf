resource "sim_thing" "counter" {
  name = "counter"
}
