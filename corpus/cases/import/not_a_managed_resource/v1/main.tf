terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

import {
  to = data.simcloud_pure.p
  id = "x"
}

data "simcloud_pure" "p" {
  name = "p"
}
