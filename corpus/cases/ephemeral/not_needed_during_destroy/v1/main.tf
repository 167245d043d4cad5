terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

variable "region" {
  default = "eu"
}

locals {
  region = "${var.region}-1"
}

provider "simcloud" {
  region = local.region
}

provider "simcloud" {
  alias  = "aside"
  region = terraform_data.gone.output
}

resource "terraform_data" "gone" {
  input = "elsewhere"
}

ephemeral "simcloud_token" "unused" {
  name = "unused"
}

ephemeral "simcloud_token" "aside" {
  provider = simcloud.aside
  name     = "aside"
}

resource "simcloud_updated" "thing" {
  name  = "thing"
  value = "1"
}
