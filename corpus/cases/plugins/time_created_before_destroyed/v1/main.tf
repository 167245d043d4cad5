terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "issued" {
  triggers = { serial = "1" }

  lifecycle {
    create_before_destroy = true
  }
}

resource "time_offset" "expires" {
  base_rfc3339 = time_static.issued.rfc3339
  offset_hours = 24

  lifecycle {
    replace_triggered_by = [time_static.issued]
  }
}
