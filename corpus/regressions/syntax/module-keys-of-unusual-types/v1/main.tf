module "m" { 
  source = "./m" 
  count = 1
}
output "o" { value = module.m[1.5].id }
output "p" { value = module.m[null].id }
output "q" { value = module.m[true].id }
