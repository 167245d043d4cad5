module "label" {
  source    = "northwind/label/null"
  version   = "~> 0.25"
  namespace = "nw"
  name      = "Stack"
}

module "network" {
  source  = "registry.example.com/platform/network/aws"
  version = ">= 2.0, < 3.0"
  name    = module.label.id
}

module "naming" {
  source = "git::https://git.example.com/modules/naming.git//azure?ref=v1.4.0"
  prefix = [module.label.id]
}

module "archive" {
  source = "https://example.com/modules/tags.zip"
  tags   = module.label.tags
}

output "result" {
  value = [module.network.subnet_names, module.naming.name, module.archive.count]
}
