module "outer" {
  source   = "./outer"
  for_each = toset(["one", "two"])
  number   = each.key
}
