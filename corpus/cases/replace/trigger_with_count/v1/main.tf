resource "sim_thing" "a" {
  count = 2

  name  = "a${count.index}"
  value = "1"
}

resource "sim_thing" "whole" {
  count = 2

  name = "w${count.index}"

  lifecycle {
    replace_triggered_by = [sim_thing.a]
  }
}

resource "sim_thing" "each" {
  count = 2

  name = "e${count.index}"

  lifecycle {
    replace_triggered_by = [sim_thing.a[count.index]]
  }
}
