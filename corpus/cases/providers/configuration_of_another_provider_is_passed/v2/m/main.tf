terraform {
  required_providers {
    other = { source = "terraform.io/builtin/other" }
  }
}
