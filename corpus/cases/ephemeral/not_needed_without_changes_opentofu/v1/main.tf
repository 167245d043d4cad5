terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "first" {
  name = "first"
}

provider "simcloud" {
  alias = "by_first"
  token = ephemeral.simcloud_token.first.token
}

ephemeral "simcloud_token" "second" {
  provider = simcloud.by_first
  name     = "second"
}

provider "simcloud" {
  alias = "by_second"
  token = ephemeral.simcloud_token.second.token
}

resource "simcloud_updated" "u" {
  provider = simcloud.by_second
  name     = "u"
}
