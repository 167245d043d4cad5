module "vpc" {
  source  = "northwind/vpc/aws"
  version = "~> 5.0"
  name    = "main"
}

output "id" {
  value = module.vpc.vpc_id
}
