terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  name = "t"
}

resource "simcloud_write_only" "user" {
  name   = "user"
  secret = ephemeral.simcloud_token.t.token
}
