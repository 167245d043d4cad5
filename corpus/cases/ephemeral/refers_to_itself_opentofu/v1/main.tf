terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  name = ephemeral.simcloud_token.t.name
}
