module "network" {
  source = "../../../../modules/network"
  name   = "dev-us"
  cidr   = "10.20.0.0/16"
  zones  = ["us-a"]
}

output "subnets" {
  value = module.network.subnets
}
