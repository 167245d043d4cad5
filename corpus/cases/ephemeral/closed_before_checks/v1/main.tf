terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

ephemeral "simcloud_token" "closed" {
  name = "closed"
}

resource "terraform_data" "used_by_nothing" {
  depends_on = [ephemeral.simcloud_token.closed]
}

ephemeral "simcloud_token" "also_closed" {
  name = "also closed"
}

resource "terraform_data" "used_by_a_resource" {
  depends_on = [ephemeral.simcloud_token.also_closed]
}

resource "terraform_data" "user" {
  input = terraform_data.used_by_a_resource.id
}

ephemeral "simcloud_token" "left_open" {
  name = "left open"
}

resource "terraform_data" "used_by_an_output" {
  depends_on = [ephemeral.simcloud_token.left_open]
}

output "id" {
  value = terraform_data.used_by_an_output.id
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
