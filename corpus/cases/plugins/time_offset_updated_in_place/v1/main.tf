terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_offset" "expiry" {
  base_rfc3339 = "2026-02-27T12:00:00Z"
  offset_days  = 2
}

output "expiry" {
  value = "${time_offset.expiry.year}-${time_offset.expiry.month}-${time_offset.expiry.day}"
}
