resource "sim_thing" "a" {
  name  = "a"
  value = "2"
}

resource "sim_thing" "b" {
  name = "b"

  lifecycle {
    replace_triggered_by = [sim_thing.a.value]
  }
}

resource "sim_thing" "c" {
  name = "c"

  lifecycle {
    replace_triggered_by = [sim_thing.a.auto]
  }
}
