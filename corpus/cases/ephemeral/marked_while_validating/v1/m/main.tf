terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  name = "t"
}

output "token" {
  ephemeral = true
  value     = ephemeral.simcloud_token.t.token
}
