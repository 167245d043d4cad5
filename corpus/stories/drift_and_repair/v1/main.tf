terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_updated" "disk" {
  name  = "disk"
  value = "large"
}

resource "simcloud_child" "server" {
  name   = "server"
  parent = simcloud_parent.network.id
}

resource "simcloud_parent" "network" {
  name = "network"
}

output "disk" {
  value = simcloud_updated.disk.value
}
