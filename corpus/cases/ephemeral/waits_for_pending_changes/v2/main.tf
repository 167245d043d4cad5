terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "terraform_data" "x" {
  input = "b"
}

resource "terraform_data" "far" {
  input = terraform_data.x.input
}

locals {
  far = terraform_data.far.input
}

module "m" {
  source     = "./m"
  depends_on = [terraform_data.x]
}

ephemeral "simcloud_token" "named" {
  name       = "named"
  depends_on = [terraform_data.x]
}

ephemeral "simcloud_token" "referring" {
  name = terraform_data.x.input
}

ephemeral "simcloud_token" "of_known_part" {
  name = ephemeral.simcloud_token.referring.name
}

ephemeral "simcloud_token" "of_unknown_part" {
  name = "of-${ephemeral.simcloud_token.referring.token}"
}

ephemeral "simcloud_token" "through_local" {
  name = "local-${local.far}"
}
