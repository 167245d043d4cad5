terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "t" {
  for_each = toset(["a", "b"])
  name     = each.key == "a" ? "a" : ephemeral.simcloud_token.t["a"].name
}
