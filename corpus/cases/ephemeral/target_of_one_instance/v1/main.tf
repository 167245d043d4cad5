terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  count = 2
  name  = "t${count.index}"
}

provider "simcloud" {
  alias = "by_token"
  token = ephemeral.simcloud_token.t[0].token
}

resource "simcloud_updated" "u" {
  provider = simcloud.by_token
  name     = "u"
}

resource "simcloud_write_only" "w" {
  name           = "w"
  secret         = ephemeral.simcloud_token.t[1].token
  secret_version = 1
}
