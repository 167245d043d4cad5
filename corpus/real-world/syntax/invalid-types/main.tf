variable "n" {
  type    = number
  default = "many"
}

locals {
  sum = var.m + 1
}

module "m" {
  source = "./m"
  extra  = 1
}
