resource "terraform_data" "a" {
}

module "m" {
  source = "./m"
}

import {
  to = module.m.terraform_data.a
  id = terraform_data.a.id
}
