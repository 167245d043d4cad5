terraform {
  provider_meta "a_b" {
    c {}
    d {}
  }
  provider_meta "a_b" {
  }
}
