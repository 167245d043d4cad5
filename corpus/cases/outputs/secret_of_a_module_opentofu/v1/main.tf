module "child" {
  source = "./child"
}

output "o" {
  value = module.child.o
}
