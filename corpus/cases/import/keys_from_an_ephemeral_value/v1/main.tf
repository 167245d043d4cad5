variable "given" {
  ephemeral = true
}

import {
  for_each = var.given
  to       = terraform_data.a[each.key]
  id       = each.value
}

resource "terraform_data" "a" {
  for_each = toset(["a"])
}
