module "this" {
  source = "../../"
  name   = "complete"
}

module "sub" {
  source = "../../modules/sub"
  of     = module.this.id
}

output "all" {
  value = [module.this.id, module.sub.text]
}
