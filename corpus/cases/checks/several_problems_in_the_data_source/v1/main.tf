variable "v" {
  type = any
}

check "c" {
  data "terraform_remote_state" "r" {
    backend  = "local"
    config   = var.v
    defaults = var.v
  }

  assert {
    condition     = data.terraform_remote_state.r.outputs != null
    error_message = "There are no outputs."
  }
}
