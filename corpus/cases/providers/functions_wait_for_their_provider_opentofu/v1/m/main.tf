terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

output "o" {
  value = provider::simcloud::echo("m")
}

resource "terraform_data" "z" {
  lifecycle {
    postcondition {
      condition     = provider::simcloud::echo(self.id) != ""
      error_message = "It has no id."
    }
  }
}
