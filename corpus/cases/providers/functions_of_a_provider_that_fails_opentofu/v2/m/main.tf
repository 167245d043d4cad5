terraform {
  required_providers {
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

output "o" {
  value = provider::simcloud::fail("It is called.")
}
