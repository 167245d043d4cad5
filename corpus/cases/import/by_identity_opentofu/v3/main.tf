terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region = "eu"
}

removed {
  from = simcloud_identified.kept

  lifecycle {
    destroy = false
  }
}

resource "simcloud_identified" "replaced" {
  name = "other"
  zone = "b"
}
