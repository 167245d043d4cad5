terraform {
  required_providers {
    terraform = { 
       source = "terraform.io/builtin/terraform" 
       configuration_aliases = [terraform.foo]
     }
  }
}
variable "v" { 
 description = ""
}
variable "w" { default = "" }
resource "terraform_data" "x" { provider = terraform.foo }
resource "terraform_data" "y" { }
data "terraform_remote_state" "z" { 
 backend = "local"
 }
output "out" { value = "x" }
module "n" {
  source = "./n"
  providers = { terraform = terraform.foo }
}
