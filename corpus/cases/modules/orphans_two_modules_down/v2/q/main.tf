variable "n" {
  type = number
}

module "c" {
  source = "./c"
  n      = var.n
}
