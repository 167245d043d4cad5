resource "sim_thing" "a" {
  name  = "a"
  value = "good"

  lifecycle {
    postcondition {
      condition     = self.value == "good"
      error_message = "Not good."
    }
  }
}

resource "sim_thing" "b" {
  name = "b"

  lifecycle {
    precondition {
      condition     = sim_thing.a.value == "good"
      error_message = "Not good."
    }
  }
}
