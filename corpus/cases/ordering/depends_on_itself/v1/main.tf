resource "sim_thing" "a" {
  name = "a"

  depends_on = [sim_thing.a]
}
