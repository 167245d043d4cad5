variable "number" {}

module "inner" {
  source = "./inner"
  count  = var.number
}
