terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_eventual" "queue" {
  name  = "queue"
  value = "first"
}

output "value" {
  value = simcloud_eventual.queue.value
}
