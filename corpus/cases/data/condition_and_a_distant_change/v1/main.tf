variable "v" {
  type = string
}

resource "sim_thing" "far" {
  name  = "far"
  value = var.v
}

resource "sim_thing" "near" {
  name  = "near"
  value = sim_thing.far.name
}

locals {
  name = sim_thing.near.name
}

data "sim_lookup" "d" {
  name = local.name

  lifecycle {
    postcondition {
      condition     = self.result == "found-near"
      error_message = "Something else was found."
    }
  }
}
