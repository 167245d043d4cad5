terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_crate" "list" {
  id      = "list"
  written = [{ key = "a" }]
}

resource "tfcoremock_crate" "only_made" {
  id      = "made"
  written = [{}]
}

resource "tfcoremock_crate" "deep" {
  id   = "deep"
  deep = { inner = { key = "a" } }
}

resource "tfcoremock_crate" "shallow" {
  id   = "shallow"
  deep = { made = "m" }
}
