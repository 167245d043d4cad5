terraform {
  required_providers {
    saucer = { source = "registry.terraform.io/hashicorp/saucer" }
  }
}

resource "kettle_pot" "tea" {
  count  = 1
  leaves = "green"
}

resource "saucer_cup" "one" {
  filled = "half"
}
