terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  region        = terraform_data.x.output
  require_known = true
}

resource "terraform_data" "x" {
  input = "x"
}

resource "terraform_data" "y" {
  input = provider::simcloud::echo("y")
}
