resource "sim_thing" "counter" {
  count = 1

  name = "counter"
}
