resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name       = "b"
  depends_on = [sim_thing.a]
}
