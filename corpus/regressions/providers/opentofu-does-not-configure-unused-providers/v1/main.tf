terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "simcloud_updated" "kept" {
  name = "kept"
}

resource "terraform_data" "gone" {}

output "kept" {
  value = simcloud_updated.kept.id
}
