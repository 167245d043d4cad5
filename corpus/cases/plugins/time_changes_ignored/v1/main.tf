terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_sleep" "pause" {
  create_duration = "1ms"
  triggers        = { serial = "1", reason = "first" }

  lifecycle {
    ignore_changes = [triggers["serial"], create_duration]
  }
}
