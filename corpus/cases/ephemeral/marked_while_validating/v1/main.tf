terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

module "m" {
  source = "./m"
}

resource "simcloud_write_only" "user" {
  name   = "user"
  secret = module.m.token
}
