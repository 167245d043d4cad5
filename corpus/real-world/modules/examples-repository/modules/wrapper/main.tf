variable "defaults" {
  type    = any
  default = {}
}

variable "items" {
  type    = any
  default = { a = { name = "a" }, b = {} }
}

module "wrapper" {
  source   = "../../"
  for_each = var.items
  name     = try(each.value.name, var.defaults.name, "root")
}

output "wrapper" {
  value = module.wrapper
}
