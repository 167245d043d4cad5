terraform {
  required_providers {
    tfcoremock = {
      source = "hashicorp/tfcoremock"
    }
  }
}

provider "tfcoremock" {
  fail_on_create = ["refused"]
}

resource "tfcoremock_simple_resource" "refused" {
  id = "refused"
}
