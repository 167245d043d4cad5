resource "terraform_data" "x" {
}

check "healthy" {
  data "terraform_remote_state" "d" {
    backend = "local"
    config  = { path = "./none.tfstate" }
  }

  assert {
    condition     = data.terraform_remote_state.d.outputs != null
    error_message = "Not healthy."
  }
}
