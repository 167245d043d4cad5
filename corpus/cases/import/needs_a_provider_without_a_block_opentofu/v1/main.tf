terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "implied"
}

provider "simcloud" {
  alias  = "named"
  region = "named"
}

import {
  to = simcloud_updated.u
  id = "implied.u-1"
}

import {
  to       = simcloud_updated.v
  id       = "named.v-1"
  provider = simcloud.named
}
