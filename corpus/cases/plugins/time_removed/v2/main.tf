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

removed {
  from = time_static.forgotten
  lifecycle {
    destroy = false
  }
}

removed {
  from = time_static.destroyed
  lifecycle {
    destroy = true
  }
}
