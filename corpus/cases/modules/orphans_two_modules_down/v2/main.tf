module "q" {
  source = "./q"
  count  = 1
  n      = count.index
}
