terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  count = 2
  name  = ephemeral.simcloud_token.t[count.index].name
}
