variable "v" {
  type = string
}

resource "sim_thing" "a" {
  name  = "a"
  value = var.v
}

resource "sim_thing" "b" {
  name  = "b"
  value = sim_thing.a.version
}

check "state" {
  data "sim_lookup" "s" {
    name = "state"
  }

  assert {
    condition     = data.sim_lookup.s.result == "found-state" && sim_thing.b.value == "1"
    error_message = "b is at ${sim_thing.b.value}."
  }
}
