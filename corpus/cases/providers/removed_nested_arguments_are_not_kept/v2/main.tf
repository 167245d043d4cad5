terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_crate" "list" {
  id = "list"
}

resource "tfcoremock_crate" "only_made" {
  id = "made"
}

resource "tfcoremock_crate" "deep" {
  id = "deep"
}

resource "tfcoremock_crate" "shallow" {
  id = "shallow"
}
