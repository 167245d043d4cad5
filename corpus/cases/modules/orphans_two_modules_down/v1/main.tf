module "p" {
  source = "./p"
}

module "q" {
  source = "./q"
  count  = 2
  n      = count.index
}
