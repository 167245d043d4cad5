terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

variable "number" {
  type = number
}

ephemeral "simcloud_token" "t" {
  name = "t"
}

provider "simcloud" {
  alias = "with_token"
  token = ephemeral.simcloud_token.t.token
}

resource "simcloud_updated" "r" {
  provider = simcloud.with_token
  count    = var.number
  name     = "r-${count.index}"
}
