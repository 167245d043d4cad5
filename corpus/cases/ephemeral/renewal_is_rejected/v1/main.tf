terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_unrenewable" "ticket" {
  name     = "ticket"
  lifetime = 10
}

resource "simcloud_write_only" "gate" {
  name           = "gate"
  secret         = ephemeral.simcloud_unrenewable.ticket.token
  secret_version = 1
}
