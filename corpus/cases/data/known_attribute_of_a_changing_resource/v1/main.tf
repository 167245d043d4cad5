variable "v" {
  type = string
}

resource "sim_thing" "a" {
  name  = "a"
  value = var.v
}

locals {
  name = sim_thing.a.name
}

data "sim_lookup" "direct" {
  name = sim_thing.a.name
}

data "sim_lookup" "through_local" {
  name = local.name
}
