terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "terraform_data" "x" {
  input = "b"
}

ephemeral "simcloud_token" "before" {
  name = "before"

  lifecycle {
    precondition {
      condition     = terraform_data.x.input == "b"
      error_message = "It is not b."
    }
  }
}

ephemeral "simcloud_token" "after" {
  name = "after"

  lifecycle {
    postcondition {
      condition     = self.name == "before"
      error_message = "It is called differently."
    }
  }
}
