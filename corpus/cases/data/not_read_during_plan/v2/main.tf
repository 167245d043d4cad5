data "terraform_remote_state" "r" {
  count   = 2
  backend = "local"
  config  = { path = data.terraform_remote_state.r[0].backend }
}
