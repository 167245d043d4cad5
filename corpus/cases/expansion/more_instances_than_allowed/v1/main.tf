terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

variable "number" {
  type = number
}

resource "simcloud_updated" "x" {
  count = var.number
  name  = "x-${count.index}"
}
