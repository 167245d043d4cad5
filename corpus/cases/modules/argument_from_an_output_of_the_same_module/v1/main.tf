module "m" {
  source = "./m"
  second = "${module.m.first}-again"
}

output "result" {
  value = module.m.result
}
