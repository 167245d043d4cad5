terraform {
  required_providers {
    mine = { source = "terraform.io/builtin/terraform" }
  }
}

import {
  to = mine_data.gone
  id = "x"
}
