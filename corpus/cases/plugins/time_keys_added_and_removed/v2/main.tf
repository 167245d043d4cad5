terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_offset" "due" {
  for_each     = { month = 30, year = 365 }
  base_rfc3339 = "2026-01-01T00:00:00Z"
  offset_days  = each.value
}

output "due" {
  value = { for name, due in time_offset.due : name => due.rfc3339 }
}
