module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  key      = each.key
}

module "after" {
  source = "./m"
  key    = join("-", [for one in module.m : one.id])
}

check "aside" {
  assert {
    condition     = module.m["a"].id != "nothing"
    error_message = "Nothing."
  }
}

output "ids" {
  value = { for key, one in module.m : key => one.id }
}
