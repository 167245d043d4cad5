terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_parent" "network" {
  name  = "network"
  value = "second"
}

resource "simcloud_child" "server" {
  for_each = toset(["a", "b", "c"])
  name     = each.key
  parent   = simcloud_parent.network.id
}

resource "simcloud_child" "last" {
  name       = "last"
  parent     = simcloud_parent.network.id
  depends_on = [simcloud_child.server]
}

resource "simcloud_updated" "record" {
  name  = "record"
  value = simcloud_child.last.id
}
