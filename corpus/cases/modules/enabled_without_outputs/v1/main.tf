variable "act" { 
  default = true
}
module "m" {
  source = "./m"
  lifecycle {
    enabled = var.act
  }
}
output "m" { 
  value = module.m == null
}
