terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

resource "terraform_data" "x" {
}

ephemeral "simcloud_token" "t" {
  name = terraform_data.x.id

  lifecycle {
    postcondition {
      condition     = self.name != null
      error_message = "It is not as expected."
    }
  }
}
