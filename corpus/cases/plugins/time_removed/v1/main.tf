terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "kept" {
  rfc3339 = "2026-01-01T00:00:00Z"
}

resource "time_static" "forgotten" {
  rfc3339 = "2026-02-01T00:00:00Z"
}

resource "time_static" "destroyed" {
  rfc3339 = "2026-03-01T00:00:00Z"
}
