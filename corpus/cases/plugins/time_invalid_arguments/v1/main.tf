terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_offset" "none" {
  base_rfc3339 = "2026-02-27T12:00:00Z"
}

resource "time_static" "nonsense" {
  rfc3339 = "noon"
}

resource "time_sleep" "nonsense" {
  create_duration = "a while"
}
