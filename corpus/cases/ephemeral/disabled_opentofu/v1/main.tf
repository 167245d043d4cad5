terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

variable "active" {
  type = bool
}

ephemeral "simcloud_token" "t" {
  name = "t"
  lifecycle {
    enabled = var.active
  }
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = try(ephemeral.simcloud_token.t.token, "none")
}
