variable "imports" {
  type = any
}

resource "terraform_data" "a" {
  for_each = toset(["a", "b"])
}

import {
  for_each = var.imports
  to       = terraform_data.a[each.value.key]
  id       = "x"
}
