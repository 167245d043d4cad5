terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_offset" "due" {
  base_rfc3339 = "2026-01-01T00:00:00Z"
  offset_days  = 7
}
