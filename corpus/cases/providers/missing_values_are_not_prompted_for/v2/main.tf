variable "region" {
  type = string
}

provider "sim" {
  region = var.region
}

resource "sim_thing" "x" {
  name = "x"
}
