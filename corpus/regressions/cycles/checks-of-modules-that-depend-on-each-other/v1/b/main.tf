check "h" {
  data "terraform_remote_state" "d" {
    backend = "local"
    config  = { path = "other.tfstate" }
  }
  assert {
    condition     = data.terraform_remote_state.d.outputs != null
    error_message = "a"
  }
}
