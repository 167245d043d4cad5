module "a" {
  source = "./inner"
}

import {
  to = module.a.nobody_knows.this
  id = "1"
}
