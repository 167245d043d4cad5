terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "issued" {
  triggers = { serial = "1" }
}

resource "time_offset" "expires" {
  base_rfc3339 = time_static.issued.rfc3339
  offset_years = 1
}
