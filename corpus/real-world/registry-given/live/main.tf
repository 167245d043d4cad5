module "label" {
  source  = "northwind/label/null"
  version = "0.25.0"
  name    = "given"
}

module "key" {
  source   = "git::ssh://git@git.example.com/modules/keys.git//modules/key?ref=main"
  for_each = toset(["a", "b"])
  name     = "${module.label.id}-${each.key}"
}

output "keys" {
  value = [for key in module.key : key.name]
}
