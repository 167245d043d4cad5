terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_updated" "kept" {
  name = "kept"
}

output "kept" {
  value = simcloud_updated.kept.id
}
