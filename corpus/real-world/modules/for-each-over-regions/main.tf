variable "regions" { default = { eu = { zones = ["a", "b"] }, us = { zones = ["a"] } } }
module "region" {
  source   = "./region"
  for_each = var.regions
  name     = each.key
  zones    = each.value.zones
  peers    = [for r in keys(var.regions) : r if r != each.key]
}
module "optional" {
  source = "./region"
  count  = length(var.regions) > 5 ? 1 : 0
  name   = "opt"
  zones  = []
}
output "subnets" { value = { for k, m in module.region : k => m.subnets } }
output "first" { value = one(module.optional[*].subnets) }
output "all" { value = flatten(values(module.region)[*].subnets) }
moved {
  from = module.old_region
  to   = module.region["eu"]
}
