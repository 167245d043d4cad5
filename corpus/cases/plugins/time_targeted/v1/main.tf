terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "opened" {
  rfc3339 = "2026-01-01T00:00:00Z"
}

resource "time_offset" "due" {
  base_rfc3339 = time_static.opened.rfc3339
  offset_days  = 7
}

resource "time_static" "other" {
  rfc3339 = "2026-02-01T00:00:00Z"
}
