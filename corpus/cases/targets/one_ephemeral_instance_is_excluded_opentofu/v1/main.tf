terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  count = 2
  name  = "t${count.index}"
}

resource "simcloud_write_only" "w" {
  name           = "w"
  secret         = ephemeral.simcloud_token.t[1].token
  secret_version = 1
}

resource "simcloud_updated" "other" {
  name = "other"
}
