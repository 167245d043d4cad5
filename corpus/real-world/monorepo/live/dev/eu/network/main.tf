module "network" {
  source = "../../../../modules/network"
  name   = "dev-eu"
  cidr   = "10.10.0.0/16"
  zones  = ["eu-a"]
}

output "subnets" {
  value = module.network.subnets
}
