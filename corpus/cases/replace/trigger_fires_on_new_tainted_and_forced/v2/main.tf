resource "sim_thing" "a" {
  name  = "a"
  value = "2"
}

resource "sim_thing" "bad" {
  name = "bad"

  lifecycle {
    replace_triggered_by = [sim_thing.a]
  }
}

resource "sim_thing" "forced" {
  name = "forced"

  lifecycle {
    replace_triggered_by = [sim_thing.a]
  }
}

resource "sim_thing" "new" {
  name = "new"

  lifecycle {
    replace_triggered_by = [sim_thing.a]
  }
}
