locals {
  key = "a"
}

resource "terraform_data" "a" {
  for_each = toset(["a"])
}

import {
  to = terraform_data.a[local.key]
  id = "x"
}
