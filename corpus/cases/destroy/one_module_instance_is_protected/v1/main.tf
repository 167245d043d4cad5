module "m" {
  source    = "./m"
  for_each  = { kept = true, gone = false }
  name      = each.key
  protected = each.value
}
