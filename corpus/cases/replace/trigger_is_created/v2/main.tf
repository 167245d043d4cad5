resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [sim_thing.a]
  }
}
