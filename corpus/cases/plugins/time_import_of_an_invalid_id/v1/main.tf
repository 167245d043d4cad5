terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

import {
  to = time_offset.week
  id = "yesterday"
}

resource "time_offset" "week" {
  offset_days = 7
}

resource "time_static" "other" {
  rfc3339 = "2020-02-12T06:36:13Z"
}
