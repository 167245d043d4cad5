module "b" {
  source = "./m"
  v      = each.value
}
