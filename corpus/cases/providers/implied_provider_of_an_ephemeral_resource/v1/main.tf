terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}

ephemeral "terraform_token" "a" {}
