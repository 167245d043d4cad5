terraform {
  cloud {
    organization = "a"
  }
  cloud {
    organization = "b"
  }
}
