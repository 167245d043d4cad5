variable "v" {
  type = string
}

resource "sim_thing" "counter" {
  name  = "counter"
  value = var.v
}

resource "sim_thing" "watcher" {
  name = "watcher"

  lifecycle {
    postcondition {
      condition     = sim_thing.counter.version < 2
      error_message = "The counter is at ${sim_thing.counter.version}."
    }
  }
}
