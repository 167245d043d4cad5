terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}
