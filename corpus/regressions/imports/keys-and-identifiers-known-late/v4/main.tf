variable "imports" {
  type = any
}

resource "terraform_data" "a" {}

import {
  to = terraform_data.a
  id = var.imports.x
}
