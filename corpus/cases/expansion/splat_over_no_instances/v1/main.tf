module "m" {
  source = "./m"
}

output "ids" {
  value = module.m.ids
}
