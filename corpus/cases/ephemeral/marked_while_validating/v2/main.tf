terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  name = "t"
}

resource "simcloud_updated" "stored" {
  name = ephemeral.simcloud_token.t.token
}

output "part" {
  value = ephemeral.simcloud_token.t.token
}

output "whole" {
  value = ephemeral.simcloud_token.t
}
