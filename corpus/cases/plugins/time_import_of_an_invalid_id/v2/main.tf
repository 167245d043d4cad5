terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

import {
  to = time_static.other
  id = "2020-02-12"
}

resource "time_static" "other" {
  rfc3339 = "2020-02-12T06:36:13Z"
}
