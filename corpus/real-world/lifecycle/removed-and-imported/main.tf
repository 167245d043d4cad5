removed {
  from = terraform_data.gone
  lifecycle {
    destroy = false
  }
}

import {
  to = terraform_data.adopted
  id = "4711"
}

resource "terraform_data" "adopted" {}

moved {
  from = terraform_data.before
  to   = terraform_data.after["x"]
}

resource "terraform_data" "after" {
  for_each = toset(["x"])
  input    = each.key
}
