module "this" {
  source = "../../"
}

output "id" {
  value = module.this.id
}
