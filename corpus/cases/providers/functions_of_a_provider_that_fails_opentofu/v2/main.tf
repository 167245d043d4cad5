terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  refuse = "validate"
}

module "m" {
  source = "./m"
}
