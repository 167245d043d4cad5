terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

import {
  to = time_rotating.key
  id = "2090-01-01T00:00:00Z,,,30,,"
}

resource "time_rotating" "key" {
  rfc3339       = "2090-01-01T00:00:00Z"
  rotation_days = 60
}

import {
  for_each = { short = "1ms,", long = "2ms,1ms" }
  to       = time_sleep.pause[each.key]
  id       = each.value
}

resource "time_sleep" "pause" {
  for_each         = { short = "1ms", long = "2ms" }
  create_duration  = each.value
  destroy_duration = "1ms"
}
