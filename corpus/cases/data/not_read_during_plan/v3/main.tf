data "terraform_remote_state" "r" {
  count   = 1
  backend = "local"
  config  = { path = data.terraform_remote_state.r[count.index].backend }
}
