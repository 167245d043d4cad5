module "network" {
  source = "../../../../modules/network"
  name   = "prod-us"
  cidr   = "10.20.0.0/16"
  zones  = ["us-a", "us-b", "us-c"]
}

output "subnets" {
  value = module.network.subnets
}
