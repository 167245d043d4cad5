terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "door" {
  name     = "door"
  lifetime = 10
}

resource "simcloud_write_only" "safe" {
  name           = "safe"
  secret         = ephemeral.simcloud_token.door.token
  secret_version = 1
}

resource "simcloud_updated" "note" {
  name = "note"
}
