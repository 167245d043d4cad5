terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_parent" "network" {
  name = "network"
}

resource "simcloud_child" "server" {
  name   = "server"
  parent = simcloud_parent.network.id
}
