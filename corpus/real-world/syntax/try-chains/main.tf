variable "config" {
  type    = any
  default = { a = { b = { c = 3 } }, list = [1, 2, 3], s = "10" }
}
locals {
  c       = try(var.config.a.b.c, var.config.a.c, 0)
  missing = try(var.config.x.y.z, var.config["x"], try(var.config.list[10], "none"))
  is_num  = can(tonumber(var.config.s))
  bad     = can(tonumber(var.config.a))
  l       = lookup(var.config, "zz", "default")
  obj     = { for k in ["a", "q"] : k => try(tostring(var.config[k]), jsonencode(try(var.config[k], null))) }
  nested  = coalesce(try(var.config.n, null), try(var.config.s, null), "z")
  list    = try(flatten([var.config.list, var.config.more]), var.config.list)
  ips     = [for i in range(3) : cidrhost("10.0.0.0/24", i + 10)]
  ternary = var.config.s == "10" ? { x = 1, y = "a" } : { x = 2, y = "b" }
}
output "all" { value = [local.c, local.missing, local.is_num, local.bad, local.l, local.obj, local.nested, local.list, local.ips, local.ternary] }
