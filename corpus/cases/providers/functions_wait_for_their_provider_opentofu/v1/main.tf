terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "terraform_data" "x" {
  input = "region"
}

provider "simcloud" {
  alias  = "late"
  region = terraform_data.x.output
}

provider "simcloud" {
  alias  = "chained"
  region = provider::simcloud::late::joined("a", "b")
}

provider "simcloud" {
  alias  = "unused"
  region = provider::simcloud::late::joined("c", "d")
}

module "m" {
  source    = "./m"
  providers = { simcloud = simcloud.chained }
}

resource "terraform_data" "y" {
  input = provider::simcloud::late::joined("e", "f")
}

data "simcloud_pure" "p" {
  provider = simcloud.chained
  name     = provider::simcloud::late::echo("p")
}

locals {
  unused = provider::simcloud::chained::echo("q")
}

output "root" {
  value = provider::simcloud::undeclared::echo("root")
}
