terraform {
  cloud {
    organization = "x"
  }
  backend "local" {}
}
