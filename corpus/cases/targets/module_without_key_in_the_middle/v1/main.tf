module "m" {
  source = "./m"
  count  = 2
  n      = count.index
}
