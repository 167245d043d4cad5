variable "values" {
  type = map(string)
}

module "m" {
  source   = "./m"
  for_each = var.values
  key      = each.key
  v        = each.value
}
