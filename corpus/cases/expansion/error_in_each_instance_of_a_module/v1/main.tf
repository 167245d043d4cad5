module "m" {
  source   = "./m"
  for_each = { a = -1, b = 1.5 }
  number   = each.value
}
