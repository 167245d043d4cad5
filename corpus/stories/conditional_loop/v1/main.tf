terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_updated" "counter" {
  name  = "counter"
  value = "right"
}

output "revision" {
  value = simcloud_updated.counter.revision
}
