terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

import {
  to       = simcloud_updated.v
  id       = "named.v-1"
  provider = simcloud.missing
}
