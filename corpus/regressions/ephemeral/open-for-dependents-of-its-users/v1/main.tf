terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

module "tokens" {
  source = "./tokens"
}

resource "terraform_data" "user" {
  depends_on = [module.tokens]
}

resource "terraform_data" "other" {
}

data "simcloud_failing" "fails" {
  name    = "fails"
  message = terraform_data.other.id
}

resource "terraform_data" "hindered" {
  input = data.simcloud_failing.fails.result
}

check "later" {
  data "simcloud_live" "read_last" {
    identifier = "nothing"
  }
  assert {
    condition     = !data.simcloud_live.read_last.exists
    error_message = "There is something."
  }
}
