module "network" {
  source = "../../../../modules/network"
  name   = "prod-eu"
  cidr   = "10.10.0.0/16"
  zones  = ["eu-a", "eu-b", "eu-c"]
}

output "subnets" {
  value = module.network.subnets
}
