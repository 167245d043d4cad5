variable "number" {
  type = number
}

module "child" {
  source = "./child"
  count  = var.number
}

import {
  to = module.child[1].terraform_data.x
  id = "x"
}
