variable "imports" {
  type = any
}

resource "terraform_data" "a" {
  count = 2
}

import {
  for_each = var.imports
  to       = terraform_data.a[each.key]
  id       = each.value.id
}
