module "m" {
  source = "./m"
}
output "z" { value = module.m.o }
