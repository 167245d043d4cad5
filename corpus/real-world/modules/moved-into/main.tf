module "group" {
  source = "./group"
}

moved {
  from = terraform_data.old
  to   = module.group.terraform_data.this
}

output "id" {
  value = module.group.name
}
