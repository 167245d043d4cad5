resource "terraform_data" "a" {}
module "m" {
  source = "./m"
  depends_on = [terraform_data.nope, module.nope, data.terraform_remote_state.nope]
}
