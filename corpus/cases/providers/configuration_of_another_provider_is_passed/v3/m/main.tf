terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
    other = {
      source                = "terraform.io/builtin/other"
      configuration_aliases = [other.one]
    }
  }
}
