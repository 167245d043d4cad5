terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

import {
  to = time_static.opened
  id = "2020-02-12T06:36:13Z"
}

resource "time_static" "opened" {
  rfc3339 = "2020-02-12T06:36:13Z"
}

import {
  to = time_offset.week
  id = "2020-02-12T06:36:13Z,,,7,,,"
}

resource "time_offset" "week" {
  base_rfc3339 = time_static.opened.rfc3339
  offset_days  = 7
}
