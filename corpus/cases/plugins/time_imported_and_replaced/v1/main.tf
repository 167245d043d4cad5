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
  rfc3339  = "2021-02-12T06:36:13Z"
  triggers = { reason = "moved" }
}
