terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

module "outer" {
  source = "./outer"
}

ephemeral "simcloud_token" "token" {
  name       = "token"
  depends_on = [module.outer]
}
