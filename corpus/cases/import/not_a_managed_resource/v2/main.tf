terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

import {
  to = ephemeral.simcloud_token.p
  id = "x"
}

ephemeral "simcloud_token" "p" {
  name = "p"
}
