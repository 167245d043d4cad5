module "m" {
  source = "./m"
}
output "o" {
  value = ephemeralasnull(module.m.e) == null
}
