terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  alias  = "by"
  refuse = "configure"
}

output "o" {
  value = provider::simcloud::by::fail("It is called.")
}
