variable "name" {
  type = string
}

module "subnets" {
  source = "./modules/subnets"
  count  = 2
  name   = "${var.name}-${count.index}"
}

output "subnet_names" {
  value = module.subnets[*].name
}
