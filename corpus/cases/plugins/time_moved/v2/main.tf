terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "month" {
  for_each = toset(["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"])
  rfc3339  = each.key
}

moved {
  from = time_static.first
  to   = time_static.month
}
