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

ephemeral "simcloud_token" "without_condition" {
  name = "without-${local.far}"
}

ephemeral "simcloud_token" "with_condition" {
  name = "condition-${local.far}"

  lifecycle {
    precondition {
      condition     = local.far != ""
      error_message = "It is never empty."
    }
  }
}
