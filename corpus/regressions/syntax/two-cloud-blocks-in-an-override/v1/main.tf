terraform {
  cloud {
    organization = "a"
  }
}
