locals {
  settings = yamldecode(file("${path.module}/settings.yaml"))
}

module "app" {
  source   = "../../../../modules/app"
  for_each = local.settings.services
  name     = each.key
  replicas = try(each.value.replicas, 1)
  labels   = merge(local.settings.labels, try(each.value.labels, {}))
}

output "urls" {
  value = { for name, app in module.app : name => app.url }
}
