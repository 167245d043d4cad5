module "m" {
  source = "./m"
  input  = "one"
}

data "terraform_remote_state" "r" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [module.m]
}

output "o" {
  value = data.terraform_remote_state.r.outputs.x
}
