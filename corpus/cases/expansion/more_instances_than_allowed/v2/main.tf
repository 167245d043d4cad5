variable "number" {
  type = number
}

module "child" {
  source = "./child"
  count  = var.number
}
