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

output "opened" {
  value = time_static.opened
}
