module "b" {
  source = "./m"
  for_each = {}
  v      = count.index
}
