terraform {
  cloud {
    organization = "x"
  }
  cloud {
    organization = "y"
  }
}
