terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "terraform_data" "x" {}

data "tfcoremock_crate" "later" {
  id = "crate"

  slot {}

  slot {}

  depends_on = [terraform_data.x]
}

output "depths" {
  value = data.tfcoremock_crate.later.slot[*].depth
}
