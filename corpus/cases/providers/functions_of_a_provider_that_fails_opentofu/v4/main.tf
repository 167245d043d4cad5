terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = provider::simcloud::echo("a")
}

resource "simcloud_updated" "u" {
  name = "u"
}
