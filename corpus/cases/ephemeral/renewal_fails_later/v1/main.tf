terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "lift" {
  name     = "lift"
  lifetime = 10
}

resource "simcloud_write_only" "shaft" {
  name           = "shaft"
  secret         = ephemeral.simcloud_token.lift.token
  secret_version = 1
}

resource "simcloud_updated" "sign" {
  name = "sign"
}
